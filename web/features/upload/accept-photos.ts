import { plainFilename } from '../../../src/contract/file-names.ts'
import { ONLY_JPEG_AND_PNG, PHOTO_TOO_LARGE } from '../../../src/contract/wording.ts'
import { blockedFiles as texts } from '../../../src/texts/english.ts'
import { identityKey } from './photo-identity.ts'

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
}

export const INVALID = texts.invalid

/** When both type and size are wrong, the reason is the type. */
export function blockedFile({ file, errors }: Rejection): BlockedFile {
  const codes = errors.map((error) => error.code)
  if (codes.includes('file-invalid-type')) return { file, reason: ONLY_JPEG_AND_PNG }
  if (codes.includes('file-too-large')) return { file, reason: PHOTO_TOO_LARGE }
  return { file, reason: INVALID }
}

const NAMED = 3

/** The toast about blocked files: the first three by name, the rest as a number (§5). */
export function blockedToast(blocked: readonly BlockedFile[]): { title: string; description: string } {
  const lines = blocked.slice(0, NAMED).map(({ file, reason }) => `${plainFilename(file.name)}: ${reason}`)
  const rest = blocked.length - NAMED
  if (rest > 0) lines.push(texts.more(rest))
  return { title: texts.title(blocked.length), description: lines.join('\n') }
}

/** Adds files to a selection. A file that is already in it (same path, size and date) replaces the former one,
 *  which may have been moved since it was chosen. */
export function addToSelection(selection: readonly File[], added: readonly File[]): File[] {
  return [...new Map([...selection, ...added].map((photo) => [identityKey(photo), photo])).values()]
}

/** Adds files to a list of blocked files; as in a selection, no file is in it twice. */
export function addToBlocked(list: readonly BlockedFile[], added: readonly BlockedFile[]): BlockedFile[] {
  return [...new Map([...list, ...added].map((one) => [identityKey(one.file), one])).values()]
}
