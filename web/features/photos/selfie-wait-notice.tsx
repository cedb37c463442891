import { Countdown } from '../../ui/countdown.tsx'
import { Notice } from '../../ui/notice.tsx'
import type { SelfieWait } from './use-selfie-patience.ts'

/** Says why a search waits, and when it starts. */
export function SelfieWaitNotice({ why, seconds, className }: SelfieWait & { className?: string }) {
  return (
    <Notice className={className}>
      {why} Your search starts by itself in <Countdown seconds={seconds} />.
    </Notice>
  )
}
