import { useRef } from 'react'
import { ZIP_MAX_PHOTOS, ZIP_PART_MAX_BYTES } from '../../../../src/contract/limits.ts'
import type { ResultPhoto } from '../../../../src/contract/submissions.ts'
import type { ZipOutput } from '../../../../src/contract/zips.ts'
import { trackPhotoDownloaded } from '../../../lib/analytics.ts'
import { failureOf, failureText } from '../../../lib/failure.ts'
import { trpc } from '../../../trpc.ts'
import { pathOf } from '../photo-path.ts'
import type { Run, Runs } from '../use-run.ts'

/** Phones have less storage, and lose the network more often. */
const PHONE_PART_BYTES = 500_000_000

export type ZipState =
  | { step: 'preparing'; ready: number; total: number }
  /** What each call has given. */
  | { step: 'ready'; zips: readonly ZipOutput[] }
  | { step: 'failed'; message: string }

export type Zip = ReturnType<typeof useZip>

/** Prepares zips in calls of at most ZIP_MAX_PHOTOS. Leaving the page stops it.
 *  @param current the photos of the page, with the addresses that it has now
 *  @param submissionId the submission that has found them, if any
 *  @param onRefused their addresses have ended */
export function useZip(
  { begin }: Runs<ZipState>,
  current: readonly ResultPhoto[],
  submissionId: string | undefined,
  onRefused?: () => void,
) {
  const wanted = useRef<{ photos: readonly ResultPhoto[]; partBytes: number }>({ photos: [], partBytes: 0 })
  const { client } = trpc.useUtils()

  /** Repeats a call until its photos are prepared. They have the addresses of now. */
  async function prepare(call: number, signal: AbortSignal, onProgress?: (ready: number) => void) {
    const { photos, partBytes } = wanted.current
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

  async function prepareAll({ show, signal }: Run<ZipState>): Promise<void> {
    const total = wanted.current.photos.length
    const zips: ZipOutput[] = []
    for (let at = 0; at < total; at += ZIP_MAX_PHOTOS) {
      const progress = (ready: number) => show({ step: 'preparing', ready: at + ready, total })
      progress(0)
      zips.push(await prepare(zips.length, signal, progress))
    }
    show({ step: 'ready', zips })
    const [only, second] = zips.flatMap(({ parts }) => parts)
    if (only && !second) download(only)
  }

  /** @param work shows how far it is */
  function run(work: (run: Run<ZipState>) => Promise<void>): void {
    const begun = begin()
    work(begun).catch((error) => {
      if (begun.signal.aborted) return
      begun.show({ step: 'failed', message: failureText(error) })
      if (failureOf(error)?.status === 403) onRefused?.()
    })
  }

  return {
    /** Prepares the photos as zips. A single one starts to download by itself. */
    start(photos: readonly ResultPhoto[], isPhone: boolean) {
      wanted.current = { photos, partBytes: isPhone ? PHONE_PART_BYTES : ZIP_PART_MAX_BYTES }
      run(prepareAll)
    },
    /** Downloads a part that is ready. Its address may have ended, so the call that has given it is made again. */
    download: (zips: readonly ZipOutput[], call: number, part: number) =>
      run(async ({ show, signal }) => {
        const zip = await prepare(call, signal)
        show({ step: 'ready', zips: zips.map((former, at) => (at === call ? zip : former)) })
        // There are fewer parts when photos have gone meanwhile.
        download(zip.parts[part] ?? zip.parts.at(-1)!)
      }),
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
