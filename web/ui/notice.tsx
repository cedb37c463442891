import type { ReactNode } from 'react'
import { AlertIcon } from './icons.tsx'
import { CheckIcon, InfoIcon } from './more-icons.tsx'

const TONES = {
  info: { box: 'bg-sunken text-ink', icon: <InfoIcon className="mt-0.5 text-ink-soft" /> },
  success: { box: 'bg-success-wash text-ink', icon: <CheckIcon className="mt-0.5 text-success" /> },
  error: { box: 'bg-danger-wash text-ink', icon: <AlertIcon className="mt-0.5 text-danger" /> },
}

export interface NoticeProps {
  tone?: keyof typeof TONES
  title?: string
  children?: ReactNode
  className?: string
}

/** A highlighted passage. A screen reader reads an error at once, and a success when it pauses. */
export function Notice({ tone = 'info', title, children, className = '' }: NoticeProps) {
  const role = tone === 'error' ? 'alert' : tone === 'success' ? 'status' : undefined
  return (
    <div
      role={role}
      className={`flex gap-3 rounded-lg border border-transparent p-4 ${TONES[tone].box} ${className}`}
    >
      {TONES[tone].icon}
      <div className="min-w-0 grow">
        {title && <p className="font-semibold">{title}</p>}
        {children && <div className={title ? 'mt-1 text-ink-soft' : ''}>{children}</div>}
      </div>
    </div>
  )
}
