/** Icons that neither the landing page nor the frame of all pages shows, so that those load without them. */
import { drawn, Icon, type IconProps } from './icons.tsx'

export const circle = (x: number, y: number, r: number) =>
  `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`
/** A rectangle with round corners. */
export const box = (x: number, y: number, width: number, height: number, r: number) => {
  const [w, h] = [width - 2 * r, height - 2 * r]
  const corner = (toX: number, toY: number) => `a${r} ${r} 0 0 1 ${toX} ${toY}`
  return `M${x + r} ${y}h${w}${corner(r, r)}v${h}${corner(-r, r)}h${-w}${corner(-r, -r)}v${-h}${corner(r, -r)}`
}

export const SearchIcon = drawn(circle(11, 11, 6.5), 'm16 16 4.5 4.5')
export const CameraIcon = drawn(
  'M4 8h3.2l1.6-2.6h6.4L16.8 8H20a1.5 1.5 0 0 1 1.5 1.5v8A1.5 1.5 0 0 1 20 19H4a1.5 1.5 0 0 1-1.5-1.5v-8A1.5 1.5 0 0 1 4 8Z',
  circle(12, 13, 3.4),
)
export const LockIcon = drawn(box(5, 11, 14, 9.5, 2), 'M8 11V8a4 4 0 0 1 8 0v3m-4 4v2')
export const CloudIcon = drawn('M7 18.5a4.5 4.5 0 0 1-.6-9A6 6 0 0 1 18 10.7a3.9 3.9 0 0 1-.5 7.8Z')
export const CheckIcon = drawn(circle(12, 12, 9), 'm8 12.3 2.8 2.8L16 9.6')
export const InfoIcon = drawn(circle(12, 12, 9), 'M12 11v5m0-8.2v.1')
export const CloseIcon = drawn('m6 6 12 12M18 6 6 18')

export const Spinner = ({ className = '' }: IconProps) => (
  <Icon className={`animate-spin ${className}`}>
    <path d="M12 3.5a8.5 8.5 0 1 0 8.5 8.5" />
  </Icon>
)
