import { useEffect, useRef, useState } from 'react'
import { ZIP_MAX_PHOTOS, ZIP_PART_MAX_BYTES } from '../../../../src/contract/limits.ts'
import type { ResultPhoto } from '../../../../src/contract/submissions.ts'
import type { ZipOutput } from '../../../../src/contract/zips.ts'
import { trackPhotoDownloaded } from '../../../lib/analytics.ts'
import { failureOf, failureText } from '../../../lib/failure.ts'
import { trpc } from '../../../trpc.ts'
import { pathOf } from '../photo-path.ts'

/** Phones have less storage, and lose the network more often. */
const PHONE_PART_BYTES = 500_000_000

type ZipState =
  | { step: 'preparing'; ready: number; total: number }
  | { step: 'ready'; parts: ZipOutput['parts']; leftOut: number }
  | { step: 'failed'; message: string }

export type Zip = ReturnType<typeof useZip>

/** Prepares zips in calls of at most ZIP_MAX_PHOTOS. Leaving the page stops it.
 *  @param current the photos of the page, with the addresses that it has now
 *  @param submissionId the submission that has found them, if any
 *  @param onRefused their addresses have ended */
export function useZip(
  current: readonly ResultPhoto[],
  submissionId: string | undefined,
  onRefused?: () => void,
) {
  /** Undefined while there is none. */
  const [state, setState] = useState<ZipState>()
  const wanted = useRef<{ photos: readonly ResultPhoto[]; partBytes: number }>(undefined)
  /** What each call has given. */
  const given = useRef<readonly ZipOutput[]>([])
  const leaving = useRef(new AbortController())
  useEffect(() => () => leaving.current.abort(), [])
  const { client } = trpc.useUtils()

  /** Repeats a call until its photos are prepared. They have the addresses of now. */
  async function prepare(call: number, signal: AbortSignal, onProgress?: (ready: number) => void) {
    const { photos, partBytes } = wanted.current!
    const renewed = new Map(current.map((photo) => [pathOf(photo), photo]))
    const addresses = photos
      .slice(call * ZIP_MAX_PHOTOS, (call + 1) * ZIP_MAX_PHOTOS)
      .map((photo) => pathAndQuery((renewed.get(pathOf(photo)) ?? photo).downloadUrl))
    while (true) {
      const zip = await client.zips.create.mutate({ photos: addresses, partBytes, submissionId }, { signal })
      signal.throwIfAborted()
      if (zip.parts.length > 0) return zip
      onProgress?.(zip.photosReady)
    }
  }

  function show(zips: readonly ZipOutput[]): void {
    given.current = zips
    const leftOut = zips.reduce((sum, zip) => sum + zip.photosLeftOut, 0)
    setState({ step: 'ready', parts: zips.flatMap(({ parts }) => parts), leftOut })
  }

  async function prepareAll(signal: AbortSignal): Promise<void> {
    const total = wanted.current!.photos.length
    const zips: ZipOutput[] = []
    for (let at = 0; at < total; at += ZIP_MAX_PHOTOS) {
      const progress = (ready: number) => setState({ step: 'preparing', ready: at + ready, total })
      progress(0)
      zips.push(await prepare(zips.length, signal, progress))
    }
    show(zips)
    const [only, second] = zips.flatMap(({ parts }) => parts)
    if (only && !second) download(only)
  }

  /** Repeats only the call that has given the part. */
  async function renew(pressed: number, signal: AbortSignal): Promise<void> {
    const places = given.current.flatMap(({ parts }, call) => parts.map((_, place) => ({ call, place })))
    const { call, place } = places[pressed]!
    const zip = await prepare(call, signal)
    show(given.current.map((former, at) => (at === call ? zip : former)))
    // There are fewer parts when photos have gone meanwhile.
    download(zip.parts[place] ?? zip.parts.at(-1)!)
  }

  function begin(run: (signal: AbortSignal) => Promise<void>): void {
    leaving.current.abort()
    leaving.current = new AbortController()
    const { signal } = leaving.current
    run(signal).catch((error) => {
      if (signal.aborted) return
      setState({ step: 'failed', message: failureText(error) })
      if (failureOf(error)?.status === 403) onRefused?.()
    })
  }

  return {
    state,
    /** Prepares the photos as zips. A single one starts to download by itself. */
    start(photos: readonly ResultPhoto[], isPhone: boolean) {
      wanted.current = { photos, partBytes: isPhone ? PHONE_PART_BYTES : ZIP_PART_MAX_BYTES }
      begin(prepareAll)
    },
    /** Downloads a part that is ready. Its address may have ended, so a fresh one is asked for. */
    download: (place: number) => begin((signal) => renew(place, signal)),
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
  Object.assign(document.createElement('a'), { href: url, download: filename }).click()
  trackPhotoDownloaded()
}
