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
