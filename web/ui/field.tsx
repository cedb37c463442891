import { type ComponentProps, useId } from 'react'

export interface FieldProps extends Omit<ComponentProps<'input'>, 'id'> {
  label: string
  hint?: string
}

export function Field({ label, hint, className = '', ...input }: FieldProps) {
  const id = useId()
  return (
    <div className={className}>
      <label htmlFor={id} className="block font-medium">
        {label}
      </label>
      <input
        id={id}
        aria-describedby={hint ? `${id}-hint` : undefined}
        className="mt-2 block min-h-12 w-full rounded-md border border-line-strong bg-surface px-3.5 text-base text-ink placeholder:text-ink-soft disabled:opacity-60"
        {...input}
      />
      {hint && (
        <p id={`${id}-hint`} className="mt-2 text-sm text-ink-soft">
          {hint}
        </p>
      )}
    </div>
  )
}
