import type { ReactNode, RefObject } from 'react'

interface OfferCardProps {
  id: string
  icon: ReactNode
  title: string
  /** Of the title, which can take the focus. */
  heading: RefObject<HTMLHeadingElement | null>
  text: ReactNode
  /** What the visitor can press. */
  action: ReactNode
  children?: ReactNode
}

/** Something that the visitor may want after a search, and then a word about what they have taken. */
export function OfferCard({ id, icon, title, heading, text, action, children }: OfferCardProps) {
  return (
    <section aria-labelledby={id} className="rounded-xl border border-line bg-surface p-5 shadow-card">
      <div className="flex flex-wrap items-center justify-between gap-4">
        <div className="min-w-0 max-w-read grow basis-80">
          <h2
            id={id}
            ref={heading}
            tabIndex={-1}
            className="flex items-center gap-2 text-heading font-semibold outline-none"
          >
            {icon}
            {title}
          </h2>
          <p className="mt-1 text-ink-soft">{text}</p>
        </div>
        <div className="flex gap-3 max-sm:w-full max-sm:flex-col">{action}</div>
      </div>
      {children}
    </section>
  )
}
