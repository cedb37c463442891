import { type ReactNode, useId, useLayoutEffect, useRef } from 'react'
import { Button } from './button.tsx'

export interface ConfirmDialogProps {
  title: string
  children: ReactNode
  /** The safe answer. It has the focus at first, and Escape gives it, too. */
  stay: { label: string; onClick: () => void }
  leave: { label: string; onClick: () => void }
}

/** A modal question. It is open while it is mounted. Afterwards the focus returns to where it was. */
export function ConfirmDialog({ title, children, stay, leave }: ConfirmDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const safe = useRef<HTMLButtonElement>(null)
  const id = useId()

  // A layout effect ends before the element is removed, so that closing can return the focus.
  useLayoutEffect(() => {
    const element = dialog.current!
    element.showModal()
    safe.current!.focus()
    return () => element.close()
  }, [])

  return (
    <dialog
      ref={dialog}
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-text`}
      onCancel={(event) => {
        event.preventDefault()
        stay.onClick()
      }}
      className="m-auto w-[calc(100%-2rem)] max-w-form rounded-xl border border-line bg-surface p-5 text-ink shadow-float backdrop:bg-black/55 sm:p-7"
    >
      <h2 id={`${id}-title`} className="text-heading font-semibold">
        {title}
      </h2>
      <div id={`${id}-text`} className="mt-2 text-ink-soft">
        {children}
      </div>
      <div className="mt-6 flex flex-wrap-reverse justify-end gap-3">
        <Button look="secondary" onClick={leave.onClick} className="max-sm:w-full">
          {leave.label}
        </Button>
        <Button ref={safe} onClick={stay.onClick} className="max-sm:w-full">
          {stay.label}
        </Button>
      </div>
    </dialog>
  )
}
