import { useEffect, useEffectEvent } from 'react'
import { failureOf } from './failure.ts'

interface Endings {
  /** The session, or the album's owner key, is no longer valid. */
  onSessionEnded: () => void
  /** The album has been erased. */
  onGone: () => void
}

/** Tells the page when a call about its album was refused for good.
 *  @returns whether it was */
export function useEnded(error: unknown, { onSessionEnded, onGone }: Endings): boolean {
  const status = failureOf(error)?.status
  const isOver = status === 401 || status === 403 || status === 404
  const tell = useEffectEvent(() => (status === 404 ? onGone() : onSessionEnded()))
  useEffect(() => {
    if (isOver) tell()
  }, [isOver])
  return isOver
}
