import type { ReactNode } from 'react'
import { EmptyState, type EmptyStateProps } from './empty-state.tsx'

const WIDTHS = {
  form: 'max-w-form',
  read: 'max-w-read',
  work: 'max-w-work',
  page: 'max-w-page',
}

/** The column of a page's content. */
export function Page({ width = 'page', children }: { width?: keyof typeof WIDTHS; children: ReactNode }) {
  return <div className={`mx-auto w-full px-4 py-10 sm:px-6 sm:py-14 ${WIDTHS[width]}`}>{children}</div>
}

/** A page that has nothing to show but what happened, and the next step. */
export const MessagePage = (props: Omit<EmptyStateProps, 'level'>) => (
  <Page>
    <EmptyState level={1} {...props} />
  </Page>
)

export interface PageHeadingProps {
  title: string
  subtitle?: ReactNode
  centred?: boolean
}

export function PageHeading({ title, subtitle, centred = false }: PageHeadingProps) {
  return (
    <header className={`mb-8 ${centred ? 'text-center' : ''}`}>
      <h1 className="text-title font-bold">{title}</h1>
      {subtitle && <p className="mt-2 text-lg text-ink-soft">{subtitle}</p>}
    </header>
  )
}
