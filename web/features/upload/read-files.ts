import { fromEvent } from 'file-selector'

/** Ms of work after which the page gets its turn. */
const SLICE_MS = 40

/** The files of a drop, a paste or a dialog, with their sizes known. A browser asks the disk for a size when it is
 *  first read: all at once, 5,000 of them hold the page up for two seconds. */
export async function readFiles(event: unknown): ReturnType<typeof fromEvent> {
  const files = await fromEvent(event)
  let turnEnds = performance.now() + SLICE_MS
  for (const file of files) {
    if (!(file instanceof File) || (file.size >= 0 && performance.now() < turnEnds)) continue
    await new Promise((resolve) => setTimeout(resolve))
    turnEnds = performance.now() + SLICE_MS
  }
  return files
}
