import { ZIP_MAX_PHOTOS, ZIP_PART_MAX_BYTES } from '../../../../src/contract/limits.ts'
import type { ResultPhoto } from '../../../../src/contract/submissions.ts'
import type { ZipOutput } from '../../../../src/contract/zips.ts'
import { trackPhotoDownloaded } from '../../../lib/analytics.ts'
import { failureOf, failureText } from '../../../lib/failure.ts'
import { trpc } from '../../../trpc.ts'
import { pathOf } from '../photo-path.ts'
import type { Run } from '../use-run.ts'

/** Phones have less storage, and lose the network more often. */
const PHONE_PART_BYTES = 500_000_000

type Part = ZipOutput['parts'][number]

export type ZipState =
  | { step: 'preparing'; ready: number; total: number }
  | { step: 'ready'; photos: readonly ResultPhoto[]; parts: readonly Part[]; leftOut: number }
  | { step: 'failed'; message: string }

/** Prepares zips in calls of at most ZIP_MAX_PHOTOS. Leaving the page stops it.
 *  @param current the photos of the page, with the addresses that it has now
 *  @param submissionId the submission that has found them, if any
 *  @param onRefused their addresses have ended */
export function useZip(
  begin: () => Run<ZipState>,
  current: readonly ResultPhoto[],
  submissionId: string | undefined,
  onRefused?: () => void,
) {
  const { client } = trpc.useUtils()
  const partBytes = window.matchMedia('(pointer: coarse)').matches ? PHONE_PART_BYTES : ZIP_PART_MAX_BYTES

  /** Prepares the photos as zips. A single one starts to download by itself.
   *  @param again the place of a part that is shown already, and downloaded now. Its address may have ended */
  return async function zip(photos: readonly ResultPhoto[], again?: number): Promise<void> {
    const { show, signal } = begin()
    const renewed = new Map(current.map((photo) => [pathOf(photo), photo]))
    const total = photos.length
    const parts: Part[] = []
    let leftOut = 0
    try {
      for (let at = 0; at < total; at += ZIP_MAX_PHOTOS) {
        const some = photos.slice(at, at + ZIP_MAX_PHOTOS)
        const addresses = some.map((photo) => pathAndQuery(renewed.get(pathOf(photo)) ?? photo))
        let made: ZipOutput | undefined
        do {
          const ready = at + (made?.photosReady ?? 0)
          if (again === undefined) show({ step: 'preparing', ready, total })
          made = await client.zips.create.mutate({ photos: addresses, partBytes, submissionId }, { signal })
          signal.throwIfAborted()
        } while (made.parts.length === 0)
        parts.push(...made.parts)
        leftOut += made.photosLeftOut
      }
      show({ step: 'ready', photos, parts, leftOut })
      // There are fewer parts when photos have gone meanwhile.
      if (again !== undefined || parts.length === 1) download(parts[again ?? 0] ?? parts.at(-1)!)
    } catch (error) {
      if (signal.aborted) return
      show({ step: 'failed', message: failureText(error) })
      if (failureOf(error)?.status === 403) onRefused?.()
    }
  }
}

/** Without the origin, so that many addresses fit into a call. */
function pathAndQuery({ downloadUrl }: ResultPhoto): string {
  const { pathname, search } = new URL(downloadUrl)
  return pathname + search
}

function download({ url, filename }: Part): void {
  Object.assign(document.createElement('a'), { href: url, download: filename }).click()
  trackPhotoDownloaded()
}
