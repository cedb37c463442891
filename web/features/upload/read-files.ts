import { fromEvent } from 'file-selector'
import { withTypeOfContent } from '../../lib/picture-type.ts'
import { PHOTO_TYPES } from './accept-photos.ts'

/** Ms of work after which the page may do other things. */
const SLICE_MS = 40

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
  let turnEnds = performance.now() + SLICE_MS
  for (const file of files) {
    if (!(file instanceof File)) continue
    if (!hasPhotoName(file)) await withTypeOfContent(file)
    else if (file.size >= 0 && performance.now() < turnEnds) continue
    else await new Promise((resolve) => setTimeout(resolve))
    turnEnds = performance.now() + SLICE_MS
  }
  return files
}

function hasPhotoName({ type }: File): boolean {
  return Object.keys(PHOTO_TYPES).includes(type)
}
