import type { AppContext } from '../context.ts'
import { withAlbum } from '../database/transaction.ts'
import { storedHashes } from './queries.ts'
import { photoFolder } from './renditions.ts'

const AT_ONCE = 10

/** Removes the files of deleted photos, apart from those that were uploaded again: an upload records its photos while the
 *  album is locked, and then looks whether their files are there. May be repeated.
 *  @param hashes in hex */
export async function removeFiles(
  { db, storage }: Pick<AppContext, 'db' | 'storage'>,
  albumId: string,
  hashes: string[],
): Promise<void> {
  for (let from = 0; from < hashes.length; from += AT_ONCE) {
    const some = hashes.slice(from, from + AT_ONCE).map((hash) => Buffer.from(hash, 'hex'))
    await withAlbum(db, albumId, async (trx) => {
      const again = await storedHashes(trx, albumId, some)
      const gone = some.filter((hash) => !again.has(hash.toString('hex')))
      await Promise.all(gone.map((hash) => storage.deleteFolder(photoFolder(albumId, hash))))
    })
  }
}
