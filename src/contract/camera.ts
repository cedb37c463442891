import readExif from 'exif-reader'

/** Characters. Exif texts are ASCII. */
const MAX_LENGTH = 80
const SERIAL_LENGTH = 4
/** What cameraIn gives. */
export const CAMERA = /^[ -~]{1,80}$/

/** The camera of a photo: its maker and model, and the end of its serial number, so that two cameras of one model differ:
 *  `Canon EOS R5 (0042)`.
 *  @param exif a file's Exif data, from "Exif" or its byte order on
 *  @returns undefined when nothing says it */
export function cameraIn(exif: Buffer | undefined): string | undefined {
  if (!exif) return undefined
  let fields: readExif.Exif
  try {
    fields = readExif(exif)
  } catch {
    // It is damaged.
    return undefined
  }
  const make = plain(fields.Image?.Make)
  const model = plain(fields.Image?.Model)
  // "NIKON D850" of "NIKON CORPORATION".
  const isNamed = model.toLowerCase().startsWith(make.split(' ')[0]!.toLowerCase())
  const name = (isNamed ? model : `${make} ${model}`).trim()
  if (name === '') return undefined
  const serial = plain(fields.Photo?.BodySerialNumber).slice(-SERIAL_LENGTH)
  return serial ? `${name.slice(0, MAX_LENGTH - SERIAL_LENGTH - 3)} (${serial})` : name.slice(0, MAX_LENGTH)
}

const plain = (text: unknown) =>
  typeof text === 'string'
    ? text
        .replace(/[^ -~]+/g, ' ')
        .replace(/ +/g, ' ')
        .trim()
    : ''
