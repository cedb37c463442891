import { type ReactNode, useId, useRef } from 'react'
import { Button } from './button.tsx'
import { Modal } from './modal.tsx'

export interface ConfirmDialogProps {
  title: string
  children: ReactNode
  /** The safe answer. It has the focus at first, and Escape gives it, too. */
  stay: { label: string; onClick: () => void }
  /** Dangerous: it cannot be undone. */
  leave: { label: string; onClick: () => void; isDangerous?: boolean }
}

/** A modal question. It is open while it is mounted. */
export function ConfirmDialog({ title, children, stay, leave }: ConfirmDialogProps) {
  const safe = useRef<HTMLButtonElement>(null)
  const id = useId()
  return (
    <Modal labelledBy={`${id}-title`} describedBy={`${id}-text`} first={safe} onClose={stay.onClick}>
      <h2 id={`${id}-title`} className="text-heading font-semibold">
        {title}
      </h2>
      <div id={`${id}-text`} className="mt-2 text-ink-soft">
        {children}
      </div>
      <div className="mt-6 flex flex-wrap-reverse justify-end gap-3">
        <Button
          look={leave.isDangerous ? 'danger' : 'secondary'}
          onClick={leave.onClick}
          className="max-sm:w-full"
        >
          {leave.label}
        </Button>
        <Button ref={safe} onClick={stay.onClick} className="max-sm:w-full">
          {stay.label}
        </Button>
      </div>
    </Modal>
  )
}
