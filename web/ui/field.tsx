import { type ComponentProps, type ReactNode, useId } from 'react'
import { AlertIcon } from './icons.tsx'

export interface FieldProps extends Omit<ComponentProps<'input'>, 'id'> {
  label: string
  hint?: string
  /** What is wrong with the value. */
  error?: string
  /** Shown inside the field, at its end. */
  end?: ReactNode
}

export function Field({ label, hint, error, end, className = '', ...input }: FieldProps) {
  const id = useId()
  const described = [error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(' ')
  return (
    <div className={className}>
      <label htmlFor={id} className="block font-medium">
        {label}
      </label>
      <div className="relative mt-2">
        <input
          id={id}
          aria-describedby={described || undefined}
          aria-invalid={error !== undefined || undefined}
          className={`block min-h-12 w-full rounded-md border border-line-strong bg-surface px-3.5 text-base text-ink placeholder:text-ink-soft disabled:opacity-60 aria-invalid:border-danger ${end ? 'pe-18' : ''}`}
          {...input}
        />
        {end && <div className="absolute inset-y-0 end-0.5 flex items-center">{end}</div>}
      </div>
      {error && (
        <p id={`${id}-error`} className="mt-2 flex items-start gap-2 text-sm font-medium text-danger">
          <AlertIcon className="mt-0.5 size-4 shrink-0" />
          {error}
        </p>
      )}
      {hint && (
        <p id={`${id}-hint`} className="mt-2 text-sm text-ink-soft">
          {hint}
        </p>
      )}
    </div>
  )
}
