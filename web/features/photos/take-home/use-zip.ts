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

  return function zip(photos: readonly ViewedPhoto[]): void {
    /** Makes a zip, or several parts, of as many photos as one call takes.
     *  @param onReady is told how many photos are ready */
    async function make(from: number, signal: AbortSignal, onReady?: (count: number) => void) {
      const some = withFreshAddresses(photos.slice(from, from + ZIP_MAX_PHOTOS)).map(pathAndQuery)
      for (let ready = 0; ; ) {
        onReady?.(from + ready)
        const made = await client.zips.create.mutate({ photos: some, partBytes, submissionId }, { signal })
        signal.throwIfAborted()
        if (made.parts.length > 0) return made
        ready = made.photosReady
      }
    }

    async function run(work: (run: Run<ZipState>) => Promise<void>): Promise<void> {
      const begun = begin()
      try {
        await work(begun)
      } catch (error) {
        if (begun.signal.aborted) return
        begun.show({ step: 'failed', message: failureText(error) })
        void checkLink(photos[0]!.thumbUrl)
      }
    }

    const again = (from: number, place: number) =>
      run(async ({ signal }) => {
        const { parts } = await make(from, signal)
        // There are fewer when photos have gone meanwhile.
        download(parts[place] ?? parts.at(-1)!)
      })

    void run(async ({ signal, show }) => {
      const parts: ZipPart[] = []
      let photosLeftOut = 0
      for (let from = 0; from < photos.length; from += ZIP_MAX_PHOTOS) {
        const made = await make(from, signal, (ready) =>
          show({ step: 'preparing', ready, total: photos.length }),
        )
        parts.push(...made.parts.map((part, place) => ({ ...part, download: () => void again(from, place) })))
        photosLeftOut += made.photosLeftOut
      }
      show({ step: 'ready', parts, photosLeftOut })
      if (parts.length === 1) download(parts[0]!)
    })
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
