/** The shape of something that is on its way. */
export function Skeleton({ className = '' }: { className?: string }) {
  return <div aria-hidden="true" className={`animate-shimmer rounded-md bg-sunken ${className}`} />
}
