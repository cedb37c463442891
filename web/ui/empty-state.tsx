import type { ReactNode } from 'react'

export interface EmptyStateProps {
  icon: ReactNode
  title: ReactNode
  /** 1 when the page has no other heading. */
  level?: 1 | 2
  /** Takes the focus, because it replaces what the visitor was using. A screen reader continues here. */
  takesFocus?: boolean
  children?: ReactNode
  action?: ReactNode
}

// Not that of lib/focus.ts, which the pages without calls do not load.
const takeFocus = (heading: HTMLElement | null) => heading?.focus()

/** What a page says when there is nothing to show: what happened, and the next step. */
export function EmptyState({ icon, title, level = 2, takesFocus, children, action }: EmptyStateProps) {
  const Heading = `h${level}` as const
  return (
    <div className="mx-auto flex max-w-form flex-col items-center py-8 text-center">
      <div className="viewfinder mb-6 grid size-24 place-items-center text-accent-deep" aria-hidden="true">
        <span className="text-ink">{icon}</span>
      </div>
      <Heading
        ref={takesFocus ? takeFocus : undefined}
        tabIndex={takesFocus ? -1 : undefined}
        className="text-2xl font-bold tracking-tight outline-none"
      >
        {title}
      </Heading>
      {children && <div className="mt-2 text-balance text-ink-soft">{children}</div>}
      {action && <div className="mt-6 flex flex-wrap justify-center gap-3">{action}</div>}
    </div>
  )
}
