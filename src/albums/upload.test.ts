import { expect, test } from 'vitest'
import { COMMAND_LINE } from '../audit/audit-log.ts'
import type { FaceIndex } from '../faces/face-index.ts'
import { album, domain, newAlbumForEachTest } from '../testing/domain-album.ts'
import { samplePath } from '../testing/sample-photos.ts'
import { eraseAlbum } from './erase.ts'
import { renewOwnerKey } from './renew-owner-key.ts'
import { uploadBatch } from './upload.ts'

newAlbumForEachTest()

/** Uploads two photos, and does something else before they are in storage. */
async function uploadDuring(meanwhile: () => Promise<unknown>) {
  let done: Promise<unknown> | undefined
  const { write } = domain.storage
  const storage: typeof domain.storage = {
    ...domain.storage,
    async write(...file) {
      done ??= meanwhile()
      await done
      await write(...file)
    },
  }
  const files = [await domain.stage(samplePath(1)), await domain.stage(samplePath(2))]
  return await uploadBatch({ ...domain, storage }, album, { totalIntendedPhotos: 2 }, files)
}

test('an upload that was begun with a former owner key is not recorded', async () => {
  const uploading = uploadDuring(() => renewOwnerKey(domain, album, COMMAND_LINE))
  await expect(uploading).rejects.toMatchObject({ code: 'CONFLICT' })
  const photos = domain.db.selectFrom('photos').select('id').where('album_id', '=', album.id)
  expect(await photos.execute()).toEqual([])
})

test('an upload whose album is erased before it is recorded leaves no file', async () => {
  const faces = {
    engine: 'embedded',
    deleteCollection: async () => {},
    countFaces: async () => 0,
  } as Partial<FaceIndex> as FaceIndex
  const uploading = uploadDuring(() => eraseAlbum({ ...domain, faces }, album, COMMAND_LINE))
  await expect(uploading).rejects.toMatchObject({ code: 'NOT_FOUND' })
  expect(await domain.storage.count(`albums/${album.id}/`)).toBe(0)
})
