import { type ReactNode, useId } from 'react'

export interface CheckboxProps {
  label: string
  checked: boolean
  disabled?: boolean
  onChange: (checked: boolean) => void
  /** What a tick means. */
  children?: ReactNode
}

export function Checkbox({ label, checked, disabled, onChange, children }: CheckboxProps) {
  const id = useId()
  return (
    <div className="flex items-start gap-3">
      <input
        id={id}
        type="checkbox"
        checked={checked}
        disabled={disabled}
        aria-describedby={children ? `${id}-text` : undefined}
        onChange={(event) => onChange(event.target.checked)}
        className="mt-0.5 size-5 shrink-0 accent-accent"
      />
      <div>
        <label htmlFor={id} className="font-medium">
          {label}
        </label>
        {children && (
          <p id={`${id}-text`} className="mt-0.5 text-sm text-ink-soft">
            {children}
          </p>
        )}
      </div>
    </div>
  )
}
