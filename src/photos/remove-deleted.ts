import type { AppContext } from '../context.ts'
import { forgetDeleted, lockDeleted } from './deleted-queries.ts'
import { photoFolder } from './renditions.ts'

const AT_ONCE = 10

/** Removes the files of deleted photos, apart from those that were uploaded again. May be repeated. */
export async function removeFiles(
  { db, storage }: Pick<AppContext, 'db' | 'storage'>,
  photoIds: string[],
): Promise<void> {
  for (let from = 0; from < photoIds.length; from += AT_ONCE) {
    const some = photoIds.slice(from, from + AT_ONCE)
    await db.transaction().execute(async (trx) => {
      const rows = await lockDeleted(trx, some)
      await Promise.all(
        rows.map(({ album_id, sha256 }) => storage.deleteFolder(photoFolder(album_id, sha256))),
      )
      await forgetDeleted(trx, some)
    })
  }
}
