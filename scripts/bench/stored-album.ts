import { createHash, randomBytes } from 'node:crypto'
import { createAlbum } from '../../src/albums/create.ts'
import { COMMAND_LINE } from '../../src/audit/audit-log.ts'
import type { Db } from '../../src/database/client.ts'
import type { JobSender } from '../../src/database/jobs.ts'
import { createKeyring } from '../../src/keyring.ts'
import { insertPhotos } from '../../src/photos/queries.ts'
import { photoKey } from '../../src/photos/renditions.ts'
import type { FileStorage } from '../../src/storage/file-storage.ts'
import { PLACEHOLDER } from '../../src/testing/indexed-photos.ts'
import { numberedPicture } from '../../src/testing/rekognition/table-faces.ts'
import { distinctPhotos } from './photos.ts'

/** As many rows as fit into one statement. */
const BATCH = 500

/** Creates an album of tiny photos as after an upload: files, rows, and the jobs that index them.
 *  @param secret the key of the processes that use it
 *  @returns its id */
export async function storeAlbum(
  { db, storage, jobs }: { db: Db; storage: FileStorage; jobs: JobSender },
  count: number,
  secret = randomBytes(32).toString('base64url'),
): Promise<string> {
  const keyring = createKeyring([secret])
  const { album } = await createAlbum(
    { db, keyring },
    { email: 'owner@example.com', albumName: 'Bench' },
    COMMAND_LINE,
  )
  const pictures = distinctPhotos([await numberedPicture(0)], count).map((parts) => Buffer.concat(parts))
  for (let start = 0; start < count; start += BATCH) {
    const photos = pictures.slice(start, start + BATCH).map((picture, index) => ({
      picture,
      row: {
        album_id: album.id,
        sha256: createHash('sha256').update(picture).digest(),
        filename: `${start + index + 1}.jpg`,
        media_type: 'image/jpeg' as const,
        size: picture.length,
        width: 80,
        height: 80,
        placeholder: PLACEHOLDER,
      },
    }))
    for (const { picture, row } of photos)
      await storage.write(photoKey(album.id, row.sha256, 'original'), picture, 'image/jpeg')
    await db.transaction().execute(async (trx) => {
      const inserted = await insertPhotos(
        trx,
        photos.map(({ row }) => row),
      )
      await jobs.send(
        trx,
        'index-photos',
        inserted.map(({ id }) => ({ photoId: id })),
      )
    })
  }
  await db.updateTable('albums').set({ photos_stored: count }).where('id', '=', album.id).execute()
  return album.id
}
