import { useEffect, useEffectEvent } from 'react'
import { album } from '../../../../src/texts/english/album.ts'
import { notOpen } from '../../../../src/texts/english/album-gate.ts'
import { failureOf, reasonOf } from '../../../lib/failure.ts'
import { trpc } from '../../../trpc.ts'
import { FailureNotice } from '../../../ui/loading.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'

export interface ScannedCodeProps {
  albumName: string
  /** The code has it. */
  password: string
  onEntered: () => void
  /** It is not the password any more, or the organiser has turned codes off. */
  onRefused: () => void
}

/** Enters an album with a scan-and-go code. */
export function ScannedCode({ albumName, password, onEntered, onRefused }: ScannedCodeProps) {
  const { mutate, error } = trpc.albums.authenticate.useMutation({
    onSuccess: onEntered,
    onError(refusal) {
      // It was the password, but the album is not open: the page says so.
      const reason = reasonOf(refusal)
      if (reason === 'album_not_open' || reason === 'album_closed') return onEntered()
      const status = failureOf(refusal)?.status ?? 0
      if (status >= 400 && status < 500) onRefused()
    },
  })
  const enter = () => mutate({ albumName, password, byCode: true })
  const enterAtOnce = useEffectEvent(enter)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another code has led here.
  useEffect(() => enterAtOnce(), [password])
  if (error) return <FailureNotice error={error} title={notOpen.notOpened} onRetry={enter} />
  return (
    <div role="status">
      <h1 className="sr-only">{album.opening}</h1>
      <Skeleton className="h-80 rounded-xl" />
    </div>
  )
}
