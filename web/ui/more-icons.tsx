/** Icons that neither the landing page nor the frame of all pages shows, so that those load without them. */
import { drawn, Icon, type IconProps } from './icons.tsx'

const circle = (x: number, y: number, r: number) =>
  `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`
/** A rectangle with round corners. */
const box = (x: number, y: number, width: number, height: number, r: number) => {
  const [w, h] = [width - 2 * r, height - 2 * r]
  const corner = (toX: number, toY: number) => `a${r} ${r} 0 0 1 ${toX} ${toY}`
  return `M${x + r} ${y}h${w}${corner(r, r)}v${h}${corner(-r, r)}h${-w}${corner(-r, -r)}v${-h}${corner(r, -r)}`
}

export const LinkIcon = drawn(
  'M10 14a4 4 0 0 0 5.7 0l3-3a4 4 0 1 0-5.7-5.7l-.9.9M14 10a4 4 0 0 0-5.7 0l-3 3a4 4 0 1 0 5.7 5.7l.9-.9',
)
export const SearchIcon = drawn(circle(11, 11, 6.5), 'm16 16 4.5 4.5')
export const PhotosIcon = drawn(
  box(3, 6, 15, 15, 2.5),
  'M7 3h11a3 3 0 0 1 3 3v11M3 17l4-4 3.5 3.5L13 14l5 5',
  circle(13, 10.4, 1.3),
)
export const FolderIcon = drawn(
  'M3 7a2 2 0 0 1 2-2h4l2.4 2.5H19a2 2 0 0 1 2 2V17a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2Z',
)
export const CameraIcon = drawn(
  'M4 8h3.2l1.6-2.6h6.4L16.8 8H20a1.5 1.5 0 0 1 1.5 1.5v8A1.5 1.5 0 0 1 20 19H4a1.5 1.5 0 0 1-1.5-1.5v-8A1.5 1.5 0 0 1 4 8Z',
  circle(12, 13, 3.4),
)
export const LockIcon = drawn(box(5, 11, 14, 9.5, 2), 'M8 11V8a4 4 0 0 1 8 0v3m-4 4v2')
export const MailIcon = drawn(box(3, 5.5, 18, 13.5, 2), 'm4 7.5 8 6 8-6')
export const ChatIcon = drawn('M12 4a8 8 0 0 0-6.9 12L4 20l4.2-1A8 8 0 1 0 12 4Z', 'M9 10.5h6m-6 3h3.5')
export const NetworkIcon = drawn(
  circle(12, 6, 2.6),
  circle(5.5, 17.5, 2.6),
  circle(18.5, 17.5, 2.6),
  'm10.7 8.3-3.9 6.9m6.5-6.9 3.9 6.9M8.2 17.5h7.6',
)
export const CloudIcon = drawn('M7 18.5a4.5 4.5 0 0 1-.6-9A6 6 0 0 1 18 10.7a3.9 3.9 0 0 1-.5 7.8Z')
export const DownloadIcon = drawn('M12 4v11m0 0-4.5-4.5M12 15l4.5-4.5M5 20h14')
export const CopyIcon = drawn(
  box(8.5, 8.5, 12, 12, 2),
  'M15.5 8.5V5.5a2 2 0 0 0-2-2h-8a2 2 0 0 0-2 2v8a2 2 0 0 0 2 2h3',
)
export const CheckIcon = drawn(circle(12, 12, 9), 'm8 12.3 2.8 2.8L16 9.6')
export const InfoIcon = drawn(circle(12, 12, 9), 'M12 11v5m0-8.2v.1')
export const CloseIcon = drawn('m6 6 12 12M18 6 6 18')
export const ShareIcon = drawn(
  'M12 14.5V3.5m0 0L8 7.5m4-4 4 4M7.5 11H6a1.5 1.5 0 0 0-1.5 1.5v6.5A1.5 1.5 0 0 0 6 20.5h12a1.5 1.5 0 0 0 1.5-1.5v-6.5A1.5 1.5 0 0 0 18 11h-1.5',
)
export const OpenIcon = drawn(
  'M13.5 4H20v6.5M20 4l-8.5 8.5M18 14v4a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2V8a2 2 0 0 1 2-2h4',
)
export const ChevronIcon = drawn('m9 4.5 7.5 7.5L9 19.5')

export const Spinner = ({ className = '' }: IconProps) => (
  <Icon className={`animate-spin ${className}`}>
    <path d="M12 3.5a8.5 8.5 0 1 0 8.5 8.5" />
  </Icon>
)
