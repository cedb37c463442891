import { addressOf, type ViewedPhoto } from '../photo-path.ts'
import { checkLink } from '../use-photo-links.ts'
import type { Run } from '../use-run.ts'

/** What a share sheet takes at once: Chromium refuses more than 10 files or 50 MB. iPhones and iPads take 25 files. */
const MAX_BYTES = 50_000_000
const MAX_FILES = navigator.vendor?.startsWith('Apple') ? 25 : 10

export interface SaveState {
  /** `ready`: a tap opens the share sheet. `asked`: the sheet is open, or its promise never resolves. `paused`: it has taken
   *  its photos, and there are more. */
  step: 'loading' | 'ready' | 'asked' | 'paused' | 'done' | 'not-loaded' | 'refused'
  /** Photos that the share sheet has taken. */
  saved: number
  total: number
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
  // The visitor has closed it.
  AbortError: 'ready',
  // It is still open.
  InvalidStateError: 'asked',
}

/** Whether this browser's share sheet takes photos. */
export function canSharePhotos(): boolean {
  const sample = new File([''], 'photo.jpg', { type: 'image/jpeg' })
  return navigator.canShare?.({ files: [sample] }) ?? false
}

/** Hands photos to the phone's share sheet, which saves them to its Photos. The sheet takes a few at a time and opens only
 *  soon after a tap, so each portion needs a tap. The next portion is loaded meanwhile. */
export function savePhotos(
  { signal, show }: Run<SaveState>,
  photos: readonly ViewedPhoto[],
  isFull: boolean,
  withFreshAddresses = (some: readonly ViewedPhoto[]) => some,
): void {
  const total = photos.length
  let saved = 0
  /** For the sheet. */
  let files: File[] = []
  /** Those after them, if they are on their way. */
  let next: Promise<File[]> | undefined
  const say = (step: SaveState['step']) => show({ step, saved, total, portion: files.length, share, goOn })

  function load(from: number): Promise<File[]> {
    const some = withFreshAddresses(photos.slice(from, from + MAX_FILES))
    return nextPortion(some, (photo) => loadPhoto(photo, isFull, signal))
  }

  async function share(): Promise<void> {
    say('loading')
    try {
      if (files.length === 0) {
        next ??= load(saved)
        files = await next
        next = undefined
      }
    } catch {
      next = undefined
      say('not-loaded')
      return checkLink(photos[saved]!.thumbUrl)
    }
    if (signal.aborted) return
    say('asked')
    const shared = files
    next ??= load(saved + shared.length)
    // It is loaded again when it is needed.
    next.catch(() => {
      next = undefined
    })
    // The visitor may go on by hand.
    const isCurrent = () => files === shared
    try {
      // Photos that have come quickly need no second tap. May never resolve.
      await navigator.share({ files: shared })
      if (isCurrent()) advance()
    } catch (error) {
      if (isCurrent()) say(STEP_AFTER[(error as Error).name] ?? 'refused')
    }
  }

  function advance(): void {
    saved += files.length
    files = []
    say(saved < total ? 'paused' : 'done')
  }

  function goOn(): void {
    advance()
    if (saved < total) void share()
  }

  void share()
}

/** Loads the next photos for a share sheet, as many as it takes at once. There is always at least one. */
export async function nextPortion(
  photos: readonly ViewedPhoto[],
  load: (photo: ViewedPhoto) => Promise<File>,
): Promise<File[]> {
  const files = await Promise.all(photos.slice(0, MAX_FILES).map(load))
  let bytes = 0
  return files.filter(({ size }, place) => {
    bytes += size
    return place === 0 || bytes <= MAX_BYTES
  })
}

/** Loads a photo as a file: at full size, or its preview, which is large enough for every screen and quick to load.
 *  @throws when it does not load */
async function loadPhoto(photo: ViewedPhoto, isFull: boolean, signal: AbortSignal): Promise<File> {
  const answer = await fetch(addressOf(photo, isFull ? 'full' : 'preview'), { signal })
  if (!answer.ok) throw new Error(`The photo was answered with ${answer.status}`)
  const blob = await answer.blob()
  // A preview is a JPEG, whatever the photo is.
  const name = isFull ? photo.filename : photo.filename.replace(/\.\w+$/, '.jpg')
  return new File([blob], name, { type: blob.type })
}
