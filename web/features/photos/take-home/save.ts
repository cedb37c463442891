import type { ViewedPhoto } from '../photo-path.ts'
import type { Run } from '../use-run.ts'
import { loadPhoto, nextPortion } from './portions.ts'

export interface SaveState {
  /** `ready`: a tap opens the share sheet. `closed`: the same, because the visitor has closed it. `asked`: the sheet is
   *  open, or its promise never resolves. `paused`: it has taken its photos, and there are more. */
  step: 'loading' | 'ready' | 'closed' | 'asked' | 'paused' | 'done' | 'not-loaded' | 'refused'
  /** Photos that the share sheet has taken. */
  saved: number
  total: number
  /** At full size, and not as previews. */
  isFull: boolean
  /** Photos that it gets next, or has now. */
  portion: number
  /** Opens the share sheet, once the photos for it have been loaded. Only works in a tap. */
  share: () => void
  /** Goes on to the next photos, as if the sheet had taken those that it has. */
  goOn: () => void
}

/** Why the share sheet has not taken photos. */
const STEP_AFTER: Record<string, SaveState['step']> = {
  // The tap was too long ago.
  NotAllowedError: 'ready',
  AbortError: 'closed',
  // It is still open.
  InvalidStateError: 'asked',
}

/** Hands photos to the phone's share sheet, which saves them to its Photos. The sheet takes a few at a time and opens only
 *  soon after a tap, so each portion needs a tap. The next portion is loaded meanwhile.
 *  @param onFail photos do not load */
export function savePhotos(
  { signal, show }: Run<SaveState>,
  photos: readonly ViewedPhoto[],
  isFull: boolean,
  onFail?: () => void,
  withFreshAddress = (photo: ViewedPhoto) => photo,
): void {
  const total = photos.length
  let saved = 0
  /** Those that are loaded or on their way, by how many photos come before them. */
  const portions = new Map<number, Promise<File[]>>()
  const say = (step: SaveState['step'], portion = 0) =>
    show({ step, saved, total, isFull, portion, share, goOn })

  /** Loads photos for the sheet, which are asked for again later. What failed is then loaded again. */
  function portionAfter(count: number): Promise<File[]> {
    const known = portions.get(count)
    if (known) return known
    const files = nextPortion(photos.slice(count), (photo) =>
      loadPhoto(withFreshAddress(photo), isFull, signal),
    )
    portions.set(count, files)
    files.catch(() => portions.delete(count))
    return files
  }

  function advance(files: File[]): void {
    portions.delete(saved)
    saved += files.length
    say(saved < total ? 'paused' : 'done')
  }

  async function share(): Promise<void> {
    say('loading')
    const before = saved
    const files = await portionAfter(saved).catch(() => undefined)
    if (signal.aborted) return
    if (!files) {
      say('not-loaded')
      return onFail?.()
    }
    say('asked', files.length)
    void portionAfter(saved + files.length)
    // The visitor may have gone on by hand.
    const isCurrent = () => saved === before
    try {
      // Photos that have come quickly need no second tap. May never resolve.
      await navigator.share({ files })
      if (isCurrent()) advance(files)
    } catch (error) {
      if (isCurrent()) say(STEP_AFTER[(error as Error).name] ?? 'refused', files.length)
    }
  }

  async function goOn(): Promise<void> {
    advance(await portionAfter(saved))
    if (saved < total) void share()
  }

  void share()
}
