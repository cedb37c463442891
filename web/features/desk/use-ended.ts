import { useEffect, useEffectEvent } from 'react'
import { failureOf } from '../../lib/failure.ts'
import type { SectionProps } from './sections.ts'

/** Tells the desk when a call about its album was refused for good: the right of the owner, or the album, has gone. */
export function useEnded(
  error: unknown,
  { onSessionEnded, onGone }: Pick<SectionProps, 'onSessionEnded' | 'onGone'>,
): void {
  const status = failureOf(error)?.status
  const tell = useEffectEvent(() => (status === 404 ? onGone() : onSessionEnded()))
  useEffect(() => {
    if (status === 401 || status === 403 || status === 404) tell()
  }, [status])
}
