import { useId } from 'react'

export interface ChoiceProps {
  label: string
  value: string
  options: readonly (readonly [value: string, label: string])[]
  onChange: (value: string) => void
  className?: string
}

/** A list of which one is chosen. */
export function Choice({ label, value, options, onChange, className = '' }: ChoiceProps) {
  const id = useId()
  return (
    <div className={className}>
      <label htmlFor={id} className="block text-sm font-medium">
        {label}
      </label>
      <select
        id={id}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        className="mt-2 block min-h-12 w-full rounded-md border border-line-strong bg-surface px-3.5 text-base text-ink"
      >
        {options.map(([one, name]) => (
          <option key={one} value={one}>
            {name}
          </option>
        ))}
      </select>
    </div>
  )
}
