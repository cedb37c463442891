import type { ReactNode } from 'react'

export interface IconProps {
  className?: string
}

/** Icons are drawn on a square of 24 units, in the text's colour. They are decoration: the text beside them, or the
 *  control's label, says what they mean. */
export function Icon({ className = '', children }: IconProps & { children: ReactNode }) {
  return (
    <svg
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.8"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      className={`shrink-0 ${className.includes('size-') ? '' : 'size-5'} ${className}`}
    >
      {children}
    </svg>
  )
}

/** @param paths what is drawn, as in SVG */
export const drawn =
  (...paths: string[]) =>
  (props: IconProps) => (
    <Icon {...props}>
      {paths.map((path) => (
        <path key={path} d={path} />
      ))}
    </Icon>
  )

export const FaceIcon = drawn(
  'M4 8V6a2 2 0 0 1 2-2h2m8 0h2a2 2 0 0 1 2 2v2m0 8v2a2 2 0 0 1-2 2h-2m-8 0H6a2 2 0 0 1-2-2v-2',
  'M9.2 14.2a3.6 3.6 0 0 0 5.6 0M9.5 9.6v.4m5-.4v.4',
)
export const AlertIcon = drawn('M12 4 2.8 19.5h18.4Z', 'M12 10v4.2m0 2.6v.1')
export const ArrowIcon = drawn('M5 12h14m0 0-5.5-5.5M19 12l-5.5 5.5')

/** A person inside a viewfinder. The same drawing is favicon.svg. */
export function LogoMark({ className = 'size-8' }: { className?: string }) {
  return (
    <svg viewBox="0 0 32 32" aria-hidden="true" className={`shrink-0 text-on-accent ${className}`}>
      <rect width="32" height="32" rx="8" className="fill-accent" />
      <path
        d="M7 12V9a2 2 0 0 1 2-2h3M20 7h3a2 2 0 0 1 2 2v3M25 20v3a2 2 0 0 1-2 2h-3M12 25H9a2 2 0 0 1-2-2v-3"
        fill="none"
        stroke="currentColor"
        strokeWidth="2.6"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
      <circle cx="16" cy="13.6" r="3.1" fill="currentColor" />
      <path d="M10.4 22.4a5.6 5.6 0 0 1 11.2 0Z" fill="currentColor" />
    </svg>
  )
}
