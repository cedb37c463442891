import { ZIP_MAX_PHOTOS, ZIP_PART_MAX_BYTES } from '../../../../src/contract/limits.ts'
import type { ZipOutput } from '../../../../src/contract/zips.ts'
import { trackPhotoDownloaded } from '../../../lib/analytics.ts'
import { failureText } from '../../../lib/failure.ts'
import { trpc } from '../../../trpc.ts'
import { addressOf, type ViewedPhoto } from '../photo-path.ts'
import { checkLink } from '../use-photo-links.ts'
import type { Run } from '../use-run.ts'

/** Phones have less storage, and lose the network more often. */
const PHONE_PART_BYTES = 500_000_000

type MadePart = ZipOutput['parts'][number]

export interface ZipPart extends MadePart {
  /** Downloads it. Its address may have ended, so the call that has given it is made again. */
  download: () => void
}

export type ZipState =
  | { step: 'preparing'; ready: number; total: number }
  | { step: 'ready'; parts: readonly ZipPart[]; photosLeftOut: number }
  | { step: 'failed'; message: string }

/** Prepares photos as zips, in calls of at most ZIP_MAX_PHOTOS. A single one starts to download by itself. Leaving the page
 *  stops it.
 *  @param submissionId the submission that has found them, if any */
export function useZip(
  begin: () => Run<ZipState>,
  withFreshAddresses: (some: readonly ViewedPhoto[]) => readonly ViewedPhoto[],
  submissionId: string | undefined,
) {
  const { client } = trpc.useUtils()
  const partBytes = window.matchMedia('(pointer: coarse)').matches ? PHONE_PART_BYTES : ZIP_PART_MAX_BYTES

  /** Makes a zip, or several parts, of as many photos as one call takes.
   *  @param onReady is told how many photos are ready
   *  @returns undefined when it has failed, or was stopped */
  async function make(
    photos: readonly ViewedPhoto[],
    { signal, show }: Run<ZipState>,
    onReady?: (count: number) => void,
  ): Promise<ZipOutput | undefined> {
    const addresses = withFreshAddresses(photos).map(pathAndQuery)
    try {
      for (let ready = 0; ; ) {
        onReady?.(ready)
        const made = await client.zips.create.mutate(
          { photos: addresses, partBytes, submissionId },
          { signal },
        )
        signal.throwIfAborted()
        if (made.parts.length > 0) return made
        ready = made.photosReady
      }
    } catch (error) {
      if (signal.aborted) return
      show({ step: 'failed', message: failureText(error) })
      void checkLink(photos[0]!.thumbUrl)
    }
  }

  return async function zip(photos: readonly ViewedPhoto[]): Promise<void> {
    const run = begin()
    const { length: total } = photos
    const parts: ZipPart[] = []
    let photosLeftOut = 0
    for (let from = 0; from < total; from += ZIP_MAX_PHOTOS) {
      const some = photos.slice(from, from + ZIP_MAX_PHOTOS)
      const made = await make(some, run, (ready) =>
        run.show({ step: 'preparing', ready: from + ready, total }),
      )
      if (!made) return
      const again = async (place: number) => {
        const fresh = await make(some, begin())
        // There are fewer parts when photos have gone meanwhile.
        if (fresh) download(fresh.parts[place] ?? fresh.parts.at(-1)!)
      }
      parts.push(...made.parts.map((part, place) => ({ ...part, download: () => void again(place) })))
      photosLeftOut += made.photosLeftOut
    }
    run.show({ step: 'ready', parts, photosLeftOut })
    if (parts.length === 1) download(parts[0]!)
  }
}

/** Without the origin, so that many addresses fit into a call. */
function pathAndQuery(photo: ViewedPhoto): string {
  const { pathname, search } = new URL(addressOf(photo, 'download'))
  return pathname + search
}

function download({ url, filename }: MadePart): void {
  Object.assign(document.createElement('a'), { href: url, download: filename }).click()
  trackPhotoDownloaded()
}
