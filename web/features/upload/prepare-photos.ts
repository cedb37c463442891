import { NotShrunk, needsShrinking, type Shrink } from './shrink-photos.ts'

/** The photo that is being made smaller, of all that have to be. Numbers count from 1. */
export interface Preparing {
  number: number
  total: number
}

/** Gives the file to send for each photo of a batch, in the same order; NotShrunk for a photo that cannot be sent.
 *  @param next the photos of the batch after it, which are prepared while the first batch is sent
 *  @throws what Shrink throws, except NotShrunk */
export type Prepare = (batch: readonly File[], next: readonly File[]) => Promise<(File | NotShrunk)[]>

/** Photos are made smaller one after another. Only the files of the last two batches are kept: 150 MB at most.
 *  @param photos all photos of the upload
 *  @param onPreparing called before each photo that is made smaller, and with null when none is waiting */
export function createPrepare(
  photos: readonly File[],
  shrink: Shrink,
  onPreparing: (preparing: Preparing | null) => void,
): Prepare {
  const numbers = new Map(photos.filter(needsShrinking).map((photo, index) => [photo, index + 1]))
  const files = new Map<File, Promise<File | NotShrunk>>()
  let last: Promise<unknown> = Promise.resolve()

  function prepare(photo: File): Promise<File | NotShrunk> {
    const kept = files.get(photo)
    if (kept) return kept
    const number = numbers.get(photo)
    if (number === undefined) return Promise.resolve(photo)
    const file = last.then(() => {
      onPreparing({ number, total: numbers.size })
      return shrink(photo).catch((error: unknown) => {
        if (error instanceof NotShrunk) return error
        // It was not the photo's fault, so the next call tries again.
        files.delete(photo)
        throw error
      })
    })
    files.set(photo, file)
    const settled = file.then(
      () => {},
      () => {},
    )
    last = settled
    void settled.then(() => {
      if (last === settled) onPreparing(null)
    })
    return file
  }

  return (batch, next) => {
    for (const photo of files.keys()) if (!batch.includes(photo) && !next.includes(photo)) files.delete(photo)
    const ready = batch.map(prepare)
    next.map(prepare)
    return Promise.all(ready)
  }
}
