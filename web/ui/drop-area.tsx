import type { ComponentProps, ReactNode } from 'react'
import * as common from '../../src/texts/english/words.ts'
import { Spinner } from './more-icons.tsx'

/** For an input that another control opens. */
export const UNSEEN = { style: { display: 'none' } }

/** What takes the files. */
export interface DropTarget {
  input: ComponentProps<'input'>
  /** With the role of a button. */
  area: ComponentProps<'div'>
  /** Whether files are being dragged over the area. */
  isOver: boolean
  /** Whether files that were dropped are still being read. */
  isReading?: boolean
}

export interface DropAreaProps {
  target: DropTarget
  disabled?: boolean
  /** The control's name for screen readers. */
  label: string
  icon: ReactNode
  title: string
  action: string
  hint: string
}

/** A place to drop files on, or to press to browse for them. */
export function DropArea({ target, disabled = false, label, icon, title, action, hint }: DropAreaProps) {
  const { input, area, isOver, isReading = false } = target
  const tone = isOver
    ? 'border-solid border-accent-deep bg-accent-wash'
    : 'border-dashed border-line-strong bg-surface hover:bg-sunken'
  return (
    <>
      {/* Beside the area, not inside: a control must not contain another control. */}
      <input {...input} {...UNSEEN} />
      <div
        {...area}
        aria-disabled={disabled}
        className={`group flex flex-col items-center rounded-xl border-2 px-5 py-10 text-center transition-colors duration-150 aria-disabled:cursor-not-allowed aria-disabled:opacity-55 sm:py-14 ${tone}`}
      >
        <span className="sr-only">{label}.</span>
        <span className="grid size-16 place-items-center rounded-full bg-accent text-on-accent transition-transform duration-200 group-hover:-translate-y-0.5">
          {isReading ? <Spinner className="size-8" /> : icon}
        </span>
        <span className="mt-4 text-heading font-semibold">{isReading ? common.readingFiles : title}</span>
        <span className="mt-0.5 text-ink-soft">{action}</span>
        <span className="mt-3 text-sm text-balance text-ink-soft">{hint}</span>
      </div>
    </>
  )
}
