export interface ProgressBarProps {
  label: string
  /** 0 to 1. */
  done: number
}

export function ProgressBar({ label, done }: ProgressBarProps) {
  const percent = Math.round(Math.min(1, Math.max(0, done)) * 100)
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
      className="h-2.5 overflow-hidden rounded-full border border-line bg-sunken"
    >
      <div
        className="h-full w-full origin-left bg-accent transition-transform duration-300 ease-out"
        style={{ transform: `scaleX(${percent / 100})` }}
      />
    </div>
  )
}
