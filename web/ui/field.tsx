import { type ComponentProps, type ReactNode, useId } from 'react'

export interface FieldProps extends Omit<ComponentProps<'input'>, 'id'> {
  label: string
  hint?: string
  /** Stands inside the field, at its end. */
  end?: ReactNode
}

export function Field({ label, hint, end, className = '', ...input }: FieldProps) {
  const id = useId()
  return (
    <div className={className}>
      <label htmlFor={id} className="block font-medium">
        {label}
      </label>
      <div className="relative mt-2">
        <input
          id={id}
          aria-describedby={hint ? `${id}-hint` : undefined}
          className={`block min-h-12 w-full rounded-md border border-line-strong bg-surface px-3.5 text-base text-ink placeholder:text-ink-soft disabled:opacity-60 ${end ? 'pe-18' : ''}`}
          {...input}
        />
        {end && <div className="absolute inset-y-0 end-0.5 flex items-center">{end}</div>}
      </div>
      {hint && (
        <p id={`${id}-hint`} className="mt-2 text-sm text-ink-soft">
          {hint}
        </p>
      )}
    </div>
  )
}
