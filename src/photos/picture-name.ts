import { extname } from 'node:path'
import { plainFilename } from '../contract/file-names.ts'

/** The extensions of each type of picture that is sent. The first one replaces a wrong one. */
const EXTENSIONS: Record<string, string[]> = {
  'image/jpeg': ['.jpg', '.jpeg'],
  'image/png': ['.png'],
  'image/webp': ['.webp'],
}
/** What may be the extension of another type: not the end of "Party 3.5" or "With Dr. Smith". */
const OTHER_EXTENSION = /\.[a-z][a-z0-9]{0,4}$/i
/** Windows accepts no names with these characters (the same page as below). */
const NOT_IN_WINDOWS = /[<>:"/|?*\\]/g
/** Windows reads these names as devices, whatever their extension (Microsoft, "Naming Files, Paths, and Namespaces"). */
const DEVICE = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(\.|$)/i

/** Bytes of UTF-8: Linux saves no longer name. */
const NAME_MAX_BYTES = 255

/** The name under which a picture is saved. It ends in the extension of its media type, however the owner named the
 *  file, and every system accepts it. */
export function pictureName(filename: string, mediaType: string): string {
  const extensions = EXTENSIONS[mediaType] ?? []
  const isRight = (name: string) => extensions.includes(extname(name).toLowerCase())
  const given = trimmed(plainFilename(filename))
  const bare = isRight(given) ? given : trimmed(given.replace(OTHER_EXTENSION, ''))
  const saved = isRight(bare) ? bare : `${bare || 'photo'}${extensions[0] ?? ''}`
  const accepted = saved.replaceAll(NOT_IN_WINDOWS, '_')
  return shortName(DEVICE.test(accepted) ? `_${accepted}` : accepted)
}

/** A name of at most NAME_MAX_BYTES, with its extension, and with a text before that when it is given. */
export function shortName(name: string, beforeExtension = ''): string {
  const extension = extname(name)
  const end = beforeExtension + extension
  return (
    shortened(name.slice(0, name.length - extension.length), NAME_MAX_BYTES - Buffer.byteLength(end)) + end
  )
}

/** The beginning of a text, up to so many bytes of UTF-8, and no part of a character. */
export function shortened(text: string, bytes: number): string {
  return new TextDecoder().decode(Buffer.from(text).subarray(0, bytes), { stream: true })
}

/** Without dots and blanks at its ends. Dots at the beginning hide a file, and Windows drops those at the end. */
function trimmed(name: string): string {
  const isKept = (character: string) => character !== '.' && character.trim() !== ''
  const characters = [...name]
  return characters.slice(characters.findIndex(isKept), characters.findLastIndex(isKept) + 1).join('')
}
