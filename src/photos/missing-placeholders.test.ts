import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { AppError } from '../errors.ts'
import { album, domain, newAlbumForEachTest } from '../testing/domain-album.ts'
import { insertIndexedPhotos } from '../testing/indexed-photos.ts'
import { samplePath } from '../testing/sample-photos.ts'
import { inspectPhoto } from './images.ts'
import { makeMissingPlaceholders } from './missing-placeholders.ts'
import { photoKey } from './renditions.ts'

newAlbumForEachTest()

const photos = () =>
  domain.db
    .selectFrom('photos')
    .select(['sha256', 'placeholder'])
    .where('album_id', '=', album.id)
    .orderBy('filename')
    .execute()

/** Photos as an older version has stored them, with the thumbnail of sample 1. */
async function oldPhotos(count: number): Promise<void> {
  await insertIndexedPhotos(domain.db, album.id, count)
  await sql`update photos set placeholder = null`.execute(domain.db)
  const { thumbnail } = await inspectPhoto(samplePath(1))
  for (const { sha256 } of await photos())
    await domain.storage.write(photoKey(album.id, sha256, 'thumb'), thumbnail, 'image/webp')
}

const placeholders = async () => (await photos()).map(({ placeholder }) => placeholder?.length)

test('photos of an older version get their placeholders from their thumbnails', async () => {
  await oldPhotos(20)
  await makeMissingPlaceholders(domain)
  expect(await placeholders()).toEqual(Array(20).fill(36))
})

test('a photo without a readable thumbnail gets an empty one, and is not tried again', async () => {
  await oldPhotos(3)
  const [lost, broken] = await photos()
  await domain.storage.delete(photoKey(album.id, lost!.sha256, 'thumb'))
  await domain.storage.write(
    photoKey(album.id, broken!.sha256, 'thumb'),
    Buffer.from('no picture'),
    'image/webp',
  )
  await makeMissingPlaceholders(domain)
  expect(await placeholders()).toEqual([0, 0, 36])
})

test('while the storage is unavailable nothing changes, and the next run makes them', async () => {
  await oldPhotos(2)
  const read = async () => {
    throw new AppError('SERVICE_UNAVAILABLE', 'The storage is unavailable')
  }
  const storage = { ...domain.storage, read }
  await expect(makeMissingPlaceholders({ ...domain, storage })).rejects.toThrow('unavailable')
  expect(await placeholders()).toEqual([undefined, undefined])
  await makeMissingPlaceholders(domain)
  expect(await placeholders()).toEqual([36, 36])
})
