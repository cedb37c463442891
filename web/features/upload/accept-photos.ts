import { PHOTO_MAX_BYTES } from '../../../src/contract/limits.ts'
import { countOf, formatNumber } from '../../lib/format.ts'
import { identityKey } from './photo-identity.ts'

/** What the file dialog offers and the drop area takes (§5). */
export const PHOTO_TYPES = { 'image/jpeg': ['.jpg', '.jpeg'], 'image/png': ['.png'] }

/** What react-dropzone says of a file that it refuses. */
export interface Rejection {
  file: { name: string }
  errors: readonly { code: string }[]
}

/** The sentences of §5. A file's type counts before its size. */
export function rejectionMessage({ file, errors }: Rejection): string {
  const codes = errors.map((error) => error.code)
  if (codes.includes('file-invalid-type'))
    return `${file.name}: Only JPEG and PNG files are supported (facial recognition service requirement)`
  if (codes.includes('file-too-large'))
    return `${file.name}: File too large (max ${PHOTO_MAX_BYTES / 1024 / 1024}MB per photo for facial recognition)`
  return `${file.name}: Invalid file`
}

const NAMED = 3

/** The toast that tells of refused files: the first three by name, the rest by number (§5). */
export function blockedToast(rejections: readonly Rejection[]): { title: string; description: string } {
  const lines = rejections.slice(0, NAMED).map(rejectionMessage)
  const rest = rejections.length - NAMED
  if (rest > 0) lines.push(`...and ${formatNumber(rest)} more`)
  return { title: `${countOf(rejections.length, 'file')} blocked`, description: lines.join('\n') }
}

/** Adds files to a selection. One that is in it already (same place, size and date) is not added twice: it takes
 *  the place of the former, which may have gone from where it was chosen. */
export function addToSelection(selection: readonly File[], added: readonly File[]): File[] {
  return [...new Map([...selection, ...added].map((photo) => [identityKey(photo), photo])).values()]
}
