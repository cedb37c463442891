import { useEffect, useRef, useState } from 'react'
import type { ResultPhoto } from '../../../../src/contract/submissions.ts'
import { loadPhoto } from '../take-home/portions.ts'

export interface Sharing {
  /** `ready`: the photo has come too late for the tap that asked for it. Another tap shares it at once. */
  state: 'idle' | 'loading' | 'ready' | 'failed'
  share(): void
}

/** Hands a photo at full size to the share sheet. */
export function useShare(photo: ResultPhoto): Sharing {
  const [state, setState] = useState<Sharing['state']>('idle')
  const loaded = useRef<File>(undefined)
  const leaving = useRef(new AbortController())
  useEffect(() => {
    const left = new AbortController()
    leaving.current = left
    return () => left.abort()
  }, [])

  async function share() {
    const { signal } = leaving.current
    try {
      if (!loaded.current) setState('loading')
      loaded.current ??= await loadPhoto(photo, true, signal)
      // The promise of the sheet may never resolve, so nothing waits for it.
      setState('idle')
      await navigator.share({ files: [loaded.current] })
    } catch (error) {
      if (signal.aborted) return
      const { name } = error as Error
      // Browsers open the sheet only soon after a tap.
      if (name === 'NotAllowedError') setState('ready')
      // The visitor has closed the sheet, or it is still open.
      else if (name !== 'AbortError' && name !== 'InvalidStateError') setState('failed')
    }
  }
  return { state, share: () => void share() }
}
