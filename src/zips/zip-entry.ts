import { pictureName } from '../photos/picture-name.ts'
import { fullMediaType } from '../photos/picture-types.ts'
import type { DownloadFacts } from './download-facts.ts'
import { numbered } from './same-names.ts'
import type { ZipEntry } from './zip-format.ts'
import type { PhotoToZip } from './zip-queries.ts'

/** A photo as a file of a zip. It follows from the photo's row alone, so it is the same for each range of the zip.
 *  @param number makes its name unique */
export function zipEntry(photo: PhotoToZip, facts: DownloadFacts, number: number): ZipEntry {
  return {
    name: numbered(nameOf(photo), number),
    takenAt: photo.taken_at ?? photo.created_at.toISOString().slice(0, 19),
    ...facts,
  }
}

export const nameOf = (photo: PhotoToZip) => pictureName(photo.filename, fullMediaType(photo))
