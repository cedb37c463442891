export type Look = 'primary' | 'secondary' | 'danger' | 'quiet'
export type Size = 'md' | 'lg'

/** A border without a colour is visible in contrast themes. */
const LOOKS: Record<Look, string> = {
  primary: 'border border-transparent bg-accent text-on-accent hover:bg-accent-deep active:translate-y-px',
  secondary: 'border border-line-strong bg-surface text-ink hover:bg-sunken active:translate-y-px',
  danger: 'border border-danger bg-surface text-danger hover:bg-danger-wash active:translate-y-px',
  quiet: 'text-ink-soft underline decoration-line-strong underline-offset-4 hover:text-ink',
}
const SIZES: Record<Size, string> = {
  md: 'min-h-11 px-4 text-[0.9375rem]',
  lg: 'min-h-13 px-6 text-lg',
}

/** The classes of a button, also for links that look like one. */
export function buttonLook(look: Look = 'primary', size: Size = 'md'): string {
  return `inline-flex items-center justify-center gap-2 rounded-md py-2 text-center font-semibold transition duration-150 disabled:cursor-not-allowed disabled:opacity-55 disabled:active:translate-y-0 ${LOOKS[look]} ${SIZES[size]}`
}
