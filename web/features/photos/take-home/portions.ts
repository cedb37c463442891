import { addressOf, type ViewedPhoto } from '../photo-path.ts'

/** What a share sheet takes at once: Chromium refuses more than 10 files or 50 MB. iPhones and iPads take 25 files. */
const MAX_BYTES = 50_000_000
const MAX_FILES = navigator.vendor?.startsWith('Apple') ? 25 : 10

/** Loads the next photos for a share sheet, as many as it takes at once. There is always at least one. */
export async function nextPortion(
  photos: readonly ViewedPhoto[],
  load: (photo: ViewedPhoto) => Promise<File>,
): Promise<File[]> {
  const files: File[] = []
  let bytes = 0
  for (const photo of photos.slice(0, MAX_FILES)) {
    const file = await load(photo)
    bytes += file.size
    if (files.length > 0 && bytes > MAX_BYTES) break
    files.push(file)
  }
  return files
}

/** Loads a photo as a file: at full size, or its preview, which is large enough for every screen and quick to load.
 *  @throws when it does not load */
export async function loadPhoto(photo: ViewedPhoto, isFull: boolean, signal: AbortSignal): Promise<File> {
  const answer = await fetch(addressOf(photo, isFull ? 'full' : 'preview'), { signal })
  if (!answer.ok) throw new Error(`The photo was answered with ${answer.status}`)
  const blob = await answer.blob()
  // A preview is a JPEG, whatever the photo is.
  const name = isFull ? photo.filename : photo.filename.replace(/\.\w+$/, '.jpg')
  return new File([blob], name, { type: blob.type })
}

/** Whether this browser's share sheet takes photos. */
export function canSharePhotos(): boolean {
  const sample = new File([''], 'photo.jpg', { type: 'image/jpeg' })
  return navigator.canShare?.({ files: [sample] }) ?? false
}
