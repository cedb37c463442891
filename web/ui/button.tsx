import type { ComponentProps } from 'react'
import { buttonLook, type Look, type Size } from './button-look.ts'
import { Spinner } from './more-icons.tsx'

export interface ButtonProps extends ComponentProps<'button'> {
  look?: Look
  size?: Size
  /** Shows that the button's work is running, and disables it unless `disabled` says otherwise. The caller changes its label. */
  busy?: boolean
}

export function Button({
  look,
  size,
  busy = false,
  disabled = busy,
  type = 'button',
  className = '',
  children,
  ...rest
}: ButtonProps) {
  return (
    <button
      type={type}
      disabled={disabled}
      aria-busy={busy || undefined}
      className={`${buttonLook(look, size)} ${className}`}
      {...rest}
    >
      {busy && <Spinner />}
      {children}
    </button>
  )
}
