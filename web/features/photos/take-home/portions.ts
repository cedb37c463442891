import type { ResultPhoto } from '../../../../src/contract/submissions.ts'

/** What a share sheet takes at once. Chromium refuses more than 10 files or 50 MB; iPhones take 25 files. */
export interface PortionLimits {
  files: number
  bytes: number
}

const CHROMIUM: PortionLimits = { files: 10, bytes: 50_000_000 }
const APPLE: PortionLimits = { files: 25, bytes: 50_000_000 }

/** @param touchPoints how many fingers the screen distinguishes. An iPad calls itself a Macintosh, which has no such
 *  screen */
export function portionLimits(userAgent: string, touchPoints: number): PortionLimits {
  const isApple = /\b(iPhone|iPad|iPod)\b/.test(userAgent)
  return isApple || (/\bMacintosh\b/.test(userAgent) && touchPoints > 1) ? APPLE : CHROMIUM
}

/** Loads the next photos for a share sheet, as many as it takes at once. There is always at least one.
 *  @param load gives one photo as a file */
export async function nextPortion(
  photos: readonly ResultPhoto[],
  limits: PortionLimits,
  load: (photo: ResultPhoto) => Promise<File>,
): Promise<File[]> {
  const files: File[] = []
  let bytes = 0
  for (const photo of photos.slice(0, limits.files)) {
    const file = await load(photo)
    bytes += file.size
    if (files.length > 0 && bytes > limits.bytes) break
    files.push(file)
  }
  return files
}

/** Loads a photo as a file: at full size, or its preview, which is large enough for every screen and quick to load.
 *  @throws when it does not load */
export async function loadPhoto(
  { url, previewUrl, filename }: ResultPhoto,
  isFull: boolean,
  signal: AbortSignal,
): Promise<File> {
  const answer = await fetch(isFull ? url : previewUrl, { signal })
  if (!answer.ok) throw new Error(`The photo was answered with ${answer.status}`)
  const blob = await answer.blob()
  // A preview is a JPEG, whatever the photo is.
  const name = isFull ? filename : filename.replace(/\.\w+$/, '.jpg')
  return new File([blob], name, { type: blob.type })
}

/** Whether this browser's share sheet takes photos. */
export function canSharePhotos(): boolean {
  const sample = new File([''], 'photo.jpg', { type: 'image/jpeg' })
  return navigator.canShare?.({ files: [sample] }) ?? false
}
