import { useEffect, useRef, useState } from 'react'
import { ZIP_MAX_PHOTOS, ZIP_PART_MAX_BYTES } from '../../../../src/contract/limits.ts'
import type { ResultPhoto } from '../../../../src/contract/submissions.ts'
import type { ZipOutput } from '../../../../src/contract/zips.ts'
import { trackPhotoDownloaded } from '../../../lib/analytics.ts'
import { failureText } from '../../../lib/failure.ts'
import { trpc } from '../../../trpc.ts'

/** Phones have less storage, and lose the network more often. */
const PHONE_PART_BYTES = 500_000_000

export type ZipState =
  | { step: 'preparing'; ready: number; total: number }
  | { step: 'ready'; parts: ZipOutput['parts']; leftOut: number }
  | { step: 'failed'; message: string }

export interface Zip {
  /** Undefined while there is none. */
  state: ZipState | undefined
  /** Prepares the photos as zips. A single one starts to download by itself. */
  start(photos: readonly ResultPhoto[], isPhone: boolean): void
  stop(): void
}

/** Prepares zips in calls of at most ZIP_MAX_PHOTOS. Leaving the page stops it. */
export function useZip(): Zip {
  const [state, setState] = useState<ZipState>()
  const leaving = useRef(new AbortController())
  useEffect(() => () => leaving.current.abort(), [])
  const { client } = trpc.useUtils()

  /** Repeats the call until its photos are prepared. */
  async function prepare(
    photos: string[],
    partBytes: number,
    onProgress: (ready: number) => void,
    signal: AbortSignal,
  ): Promise<ZipOutput> {
    while (true) {
      const zip = await client.zips.create.mutate({ photos, partBytes }, { signal })
      signal.throwIfAborted()
      onProgress(zip.photosReady)
      if (zip.parts.length > 0) return zip
    }
  }

  async function run(photos: readonly ResultPhoto[], partBytes: number, signal: AbortSignal): Promise<void> {
    const addresses = photos.map(({ downloadUrl }) => pathAndQuery(downloadUrl))
    const parts: ZipOutput['parts'] = []
    let leftOut = 0
    for (let at = 0; at < addresses.length; at += ZIP_MAX_PHOTOS) {
      const progress = (ready: number) =>
        setState({ step: 'preparing', ready: at + ready, total: addresses.length })
      progress(0)
      const some = addresses.slice(at, at + ZIP_MAX_PHOTOS)
      const zip = await prepare(some, partBytes, progress, signal)
      parts.push(...zip.parts)
      leftOut += zip.photosLeftOut
    }
    setState({ step: 'ready', parts, leftOut })
    if (parts.length === 1) download(parts[0]!)
  }

  return {
    state,
    start(photos, isPhone) {
      leaving.current.abort()
      leaving.current = new AbortController()
      const { signal } = leaving.current
      run(photos, isPhone ? PHONE_PART_BYTES : ZIP_PART_MAX_BYTES, signal).catch((error) => {
        if (!signal.aborted) setState({ step: 'failed', message: failureText(error) })
      })
    },
    stop() {
      leaving.current.abort()
      setState(undefined)
    },
  }
}

/** Without the origin, so that many addresses fit into a call. */
function pathAndQuery(address: string): string {
  const { pathname, search } = new URL(address)
  return pathname + search
}

function download({ url, filename }: ZipOutput['parts'][number]): void {
  const link = document.createElement('a')
  link.href = url
  link.download = filename
  link.click()
  trackPhotoDownloaded()
}
