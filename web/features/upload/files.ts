/** The files that an organiser chooses, and which of them are photos. */
import { fromEvent } from 'file-selector'
import { plainFilename } from '../../../src/contract/file-names.ts'
import { ONLY_JPEG_AND_PNG, PHOTO_TOO_LARGE } from '../../../src/contract/wording.ts'
import { blockedFiles as texts } from '../../../src/texts/english/upload.ts'
import { identityKey } from '../own-albums/upload-history.ts'
import { isHeic, withTypeOfContent } from '../photos/picture-type.ts'
import { canShrink, opensHeic } from './shrink.ts'

/** The types that the file dialog offers and the drop area takes (§5). */
export const PHOTO_TYPES = { 'image/jpeg': ['.jpg', '.jpeg'], 'image/png': ['.png'] }

/** A file that react-dropzone refused. */
export interface Rejection {
  file: File
  errors: readonly { code: string }[]
}

/** A chosen file that is not uploaded, and why. */
export interface BlockedFile {
  file: File
  reason: string
  /** A photo of which this browser can make a copy that the service takes. */
  isShrinkable?: boolean
}

/** Why files are blocked. When both type and size are wrong, the reason is the type. Whether this browser can open HEIC is
 *  found out by opening the first HEIC photo. */
export async function blockedFiles(rejected: readonly Rejection[]): Promise<BlockedFile[]> {
  const heic = canShrink() ? rejected.find(({ file }) => isHeic(file)) : undefined
  const canOpenHeic = heic !== undefined && (await opensHeic(heic.file))
  return rejected.map(({ file, errors }) => {
    const codes = errors.map((error) => error.code)
    if (codes.includes('file-invalid-type'))
      return { file, reason: ONLY_JPEG_AND_PNG, isShrinkable: canOpenHeic && isHeic(file) }
    if (codes.includes('file-too-large')) return { file, reason: PHOTO_TOO_LARGE, isShrinkable: canShrink() }
    return { file, reason: texts.invalid }
  })
}

const NAMED = 3

/** The toast about blocked files: the first three by name, the rest as a number (§5). */
export function blockedToast(blocked: readonly BlockedFile[]): { title: string; description: string } {
  const lines = blocked.slice(0, NAMED).map(({ file, reason }) => `${plainFilename(file.name)}: ${reason}`)
  const rest = blocked.length - NAMED
  if (rest > 0) lines.push(texts.more(rest))
  return { title: texts.title(blocked.length), description: lines.join('\n') }
}

/** A file that is in a list twice (same path, size and date) stays as the later one: the former may have been moved since it
 *  was chosen. */
export function eachOnce<One extends File | BlockedFile>(list: readonly One[]): One[] {
  const keyOf = (one: One) => identityKey(one instanceof File ? one : one.file)
  return [...new Map(list.map((one) => [keyOf(one), one])).values()]
}

/** Files after which the page may do other things. */
const AT_ONCE = 100

/** What systems put into folders beside the photos. The second is a file of macOS about the photo whose name follows. */
const OF_THE_SYSTEM = /^(\.DS_Store|\._.+|Thumbs\.db|desktop\.ini)$/i

/** Gives the files of a drop, a paste or a dialog, and reads the size of each. The browser asks the disk when a size is
 *  read for the first time: 5,000 at once freeze the page for two seconds.
 *  Leaves out the files that systems hide in folders: nobody has chosen them. A file whose name says that it is no photo
 *  gets the type of its content. */
export async function readFiles(event: unknown): ReturnType<typeof fromEvent> {
  const files = (await fromEvent(event)).filter(
    (file) => !(file instanceof File && OF_THE_SYSTEM.test(file.name)),
  )
  for (const [index, file] of files.entries()) {
    if (!(file instanceof File)) continue
    if (!hasPhotoName(file)) await withTypeOfContent(file)
    else if (file.size >= 0 && index % AT_ONCE === 0) await new Promise((resolve) => setTimeout(resolve))
  }
  return files
}

const hasPhotoName = ({ type }: File) => type in PHOTO_TYPES
