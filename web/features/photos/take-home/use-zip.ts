import { ZIP_MAX_PHOTOS, ZIP_PART_MAX_BYTES } from '../../../../src/contract/limits.ts'
import type { ZipOutput } from '../../../../src/contract/zips.ts'
import { trackPhotoDownloaded } from '../../../lib/analytics.ts'
import { failureOf, failureText } from '../../../lib/failure.ts'
import { trpc } from '../../../trpc.ts'
import { addressOf, pathOf, type ViewedPhoto } from '../photo-path.ts'
import type { Run } from '../use-run.ts'

/** Phones have less storage, and lose the network more often. */
const PHONE_PART_BYTES = 500_000_000

export type ZipState =
  | { step: 'preparing'; ready: number; total: number }
  /** `zips`: what each call has given. */
  | { step: 'ready'; photos: readonly ViewedPhoto[]; zips: readonly ZipOutput[] }
  | { step: 'failed'; message: string }

/** Prepares zips in calls of at most ZIP_MAX_PHOTOS. Leaving the page stops it.
 *  @param current the photos of the page, with the addresses that it has now
 *  @param submissionId the submission that has found them, if any
 *  @param onRefused their addresses have ended */
export function useZip(
  begin: () => Run<ZipState>,
  current: readonly ViewedPhoto[],
  submissionId: string | undefined,
  onRefused?: () => void,
) {
  const { client } = trpc.useUtils()
  const partBytes = window.matchMedia('(pointer: coarse)').matches ? PHONE_PART_BYTES : ZIP_PART_MAX_BYTES

  /** Makes a zip, or several parts, of the photos from this place on, as many as one call takes. */
  async function make(
    photos: readonly ViewedPhoto[],
    from: number,
    { show, signal }: Pick<Run<ZipState>, 'signal'> & { show?: Run<ZipState>['show'] },
  ): Promise<ZipOutput> {
    const renewed = new Map(current.map((photo) => [pathOf(photo), photo]))
    const some = photos.slice(from, from + ZIP_MAX_PHOTOS)
    const addresses = some.map((photo) => pathAndQuery(renewed.get(pathOf(photo)) ?? photo))
    for (let ready = 0; ; ) {
      show?.({ step: 'preparing', ready: from + ready, total: photos.length })
      const made = await client.zips.create.mutate({ photos: addresses, partBytes, submissionId }, { signal })
      signal.throwIfAborted()
      if (made.parts.length > 0) return made
      ready = made.photosReady
    }
  }

  /** @param work shows how far it is */
  async function run(work: (run: Run<ZipState>) => Promise<void>): Promise<void> {
    const begun = begin()
    try {
      await work(begun)
    } catch (error) {
      if (begun.signal.aborted) return
      begun.show({ step: 'failed', message: failureText(error) })
      if (failureOf(error)?.status === 403) onRefused?.()
    }
  }

  return {
    /** Prepares the photos as zips. A single one starts to download by itself. */
    start: (photos: readonly ViewedPhoto[]) =>
      run(async (begun) => {
        const zips: ZipOutput[] = []
        for (let from = 0; from < photos.length; from += ZIP_MAX_PHOTOS)
          zips.push(await make(photos, from, begun))
        begun.show({ step: 'ready', photos, zips })
        const [only, second] = zips.flatMap(({ parts }) => parts)
        if (only && !second) download(only)
      }),
    /** Downloads a part that is ready. Its address may have ended, so the call that has given it is made again. */
    again: (photos: readonly ViewedPhoto[], zips: readonly ZipOutput[], call: number, part: number) =>
      run(async ({ show, signal }) => {
        const made = await make(photos, call * ZIP_MAX_PHOTOS, { signal })
        show({ step: 'ready', photos, zips: zips.map((former, at) => (at === call ? made : former)) })
        // There are fewer parts when photos have gone meanwhile.
        download(made.parts[part] ?? made.parts.at(-1)!)
      }),
  }
}

/** Without the origin, so that many addresses fit into a call. */
function pathAndQuery(photo: ViewedPhoto): string {
  const { pathname, search } = new URL(addressOf(photo, 'download'))
  return pathname + search
}

function download({ url, filename }: ZipOutput['parts'][number]): void {
  Object.assign(document.createElement('a'), { href: url, download: filename }).click()
  trackPhotoDownloaded()
}
