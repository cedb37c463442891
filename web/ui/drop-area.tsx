import type { ReactNode } from 'react'
import { type DropzoneOptions, useDropzone } from 'react-dropzone'
import { common } from '../../src/texts/english.ts'
import { Spinner } from './more-icons.tsx'

/** For the input of a dropzone that has another control to open it. */
export const UNSEEN = { style: { display: 'none' } }

export interface DropAreaProps {
  options: DropzoneOptions
  /** The control's name for screen readers. */
  label: string
  icon: ReactNode
  title: string
  action: string
  hint: string
}

/** A place to drop files on, or to press to browse for them. */
export function DropArea({ options, label, icon, title, action, hint }: DropAreaProps) {
  const { getRootProps, getInputProps, isDragActive, isProcessing } = useDropzone(options)
  const { disabled = false } = options
  const tone = isDragActive
    ? 'border-solid border-accent-deep bg-accent-wash'
    : 'border-dashed border-line-strong bg-surface hover:bg-sunken'
  return (
    <>
      {/* Beside the area, not inside: a control must not contain another control. */}
      <input {...getInputProps(UNSEEN)} />
      <div
        {...getRootProps({ role: 'button', 'aria-disabled': disabled })}
        className={`group flex flex-col items-center rounded-xl border-2 px-5 py-10 text-center transition-colors duration-150 aria-disabled:cursor-not-allowed aria-disabled:opacity-55 sm:py-14 ${tone}`}
      >
        <span className="sr-only">{label}.</span>
        <span className="grid size-16 place-items-center rounded-full bg-accent text-on-accent transition-transform duration-200 group-hover:-translate-y-0.5">
          {isProcessing ? <Spinner className="size-8" /> : icon}
        </span>
        <span className="mt-4 text-heading font-semibold">{isProcessing ? common.readingFiles : title}</span>
        <span className="mt-0.5 text-ink-soft">{action}</span>
        <span className="mt-3 text-sm text-balance text-ink-soft">{hint}</span>
      </div>
    </>
  )
}
