import { type ReactNode, type RefObject, useLayoutEffect, useRef } from 'react'

const LOOKS = {
  card: 'm-auto w-[calc(100%-2rem)] max-w-form rounded-xl border border-line bg-surface p-5 text-ink shadow-float backdrop:bg-black/55 sm:p-7',
  screen:
    'm-0 h-dvh max-h-none w-full max-w-none animate-appear overflow-hidden overscroll-contain bg-transparent text-white [--color-focus:var(--color-white)] backdrop:bg-transparent',
}

export interface ModalProps {
  /** A card over the page, or the whole screen. */
  look?: keyof typeof LOOKS
  /** The id of its heading. */
  labelledBy: string
  /** The id of its text, if it should be read out at once. */
  describedBy?: string
  /** Gets the focus at first. */
  first: RefObject<HTMLElement | null>
  /** Called by Escape, and by the back gesture of Android. */
  onClose: () => void
  children: ReactNode
}

/** A modal dialog. It is open while it is mounted. Afterwards the focus returns to where it was. */
export function Modal({ look = 'card', labelledBy, describedBy, first, onClose, children }: ModalProps) {
  const dialog = useRef<HTMLDialogElement>(null)

  // A layout effect ends before the element is removed, so that closing can return the focus.
  useLayoutEffect(() => {
    const element = dialog.current!
    element.showModal()
    first.current!.focus()
    return () => element.close()
  }, [first])

  return (
    <dialog
      ref={dialog}
      aria-labelledby={labelledBy}
      aria-describedby={describedBy}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      className={LOOKS[look]}
    >
      {children}
    </dialog>
  )
}
