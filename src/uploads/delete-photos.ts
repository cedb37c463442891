import { type OwnedAlbum, withOwnedAlbum } from '../albums/access.ts'
import { type Actor, recordEvent } from '../audit/audit-log.ts'
import type { AppContext } from '../context.ts'
import { withAlbum } from '../database/transaction.ts'
import { deletePhotos } from '../photos/change-queries.ts'
import { storedHashes } from '../photos/queries.ts'
import { photoFolder } from '../photos/renditions.ts'
import { completeIfDone } from './finish.ts'
import { addToCounters } from './queries.ts'

/** After this long, every request and job has ended that was at work with a photo when it was deleted. */
const REMOVED_AGAIN_SECONDS = 900

/** Deletes photos of an album for good. One transaction deletes their rows, so that nobody finds or opens them any more, and
 *  sends the jobs that remove their files and faces: now, and again when no request or job can still write any. What is not in
 *  the album is left out, so the call may be repeated.
 *  @returns how many there were */
export async function deleteFromAlbum(
  deps: Pick<AppContext, 'db' | 'jobs' | 'keyring'>,
  owned: OwnedAlbum,
  wanted: string[],
  by: Actor,
): Promise<number> {
  const albumId = owned.id
  return await withOwnedAlbum(deps.db, owned, async (trx) => {
    const { ids: photoIds, hashes, ...gone } = await deletePhotos(trx, albumId, wanted)
    if (photoIds.length === 0) return 0
    const album = await addToCounters(trx, albumId, {
      stored: -photoIds.length,
      settled: -gone.settled,
      faces: -gone.faces,
      bytes: -gone.bytes,
    })
    for (const afterSeconds of [0, REMOVED_AGAIN_SECONDS])
      await deps.jobs.send(trx, 'remove-photos', [{ albumId, photoIds, hashes }], { afterSeconds })
    await recordEvent({ ...deps, db: trx }, { event: 'photos deleted', album, by })
    // The others may all be settled.
    await completeIfDone(trx, deps, album)
    return photoIds.length
  })
}

const FOLDERS_AT_ONCE = 10

/** Removes the files of deleted photos, apart from those that were uploaded again: an upload records its photos while the
 *  album is locked, and then looks whether their files are there. May be repeated.
 *  @param hashes in hex */
export async function removeFiles(
  { db, storage }: Pick<AppContext, 'db' | 'storage'>,
  albumId: string,
  hashes: string[],
): Promise<void> {
  for (let from = 0; from < hashes.length; from += FOLDERS_AT_ONCE) {
    const some = hashes.slice(from, from + FOLDERS_AT_ONCE).map((hash) => Buffer.from(hash, 'hex'))
    await withAlbum(db, albumId, async (trx) => {
      const again = await storedHashes(trx, albumId, some)
      const gone = some.filter((hash) => !again.has(hash.toString('hex')))
      await Promise.all(gone.map((hash) => storage.deleteFolder(photoFolder(albumId, hash))))
    })
  }
}
