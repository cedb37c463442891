import type { ReactNode } from 'react'
import { takeHome as texts } from '../../../../src/texts/english/photos.ts'
import { Button } from '../../../ui/button.tsx'

export interface PanelProps {
  title: string
  children?: ReactNode
  /** What can be done, the most likely first. */
  actions?: ReactNode
  closeLabel: string
  onClose: () => void
}

/** What is happening to the photos that a visitor takes home. A screen reader reads each change. */
export function Panel({ title, children, actions, closeLabel, onClose }: PanelProps) {
  return (
    <section aria-label={texts.label} className="mb-5 rounded-lg bg-sunken p-4">
      <div role="status">
        <p className="font-semibold tabular-nums">{title}</p>
        {children && <div className="mt-1 text-ink-soft">{children}</div>}
      </div>
      <div className="mt-3 flex flex-wrap items-center gap-2">
        {actions}
        <Button look="quiet" onClick={onClose}>
          {closeLabel}
        </Button>
      </div>
    </section>
  )
}
