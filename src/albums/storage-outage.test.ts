import { expect, test } from 'vitest'
import { COMMAND_LINE } from '../audit/audit-log.ts'
import { AppError } from '../errors.ts'
import type { FaceIndex } from '../faces/face-index.ts'
import type { JobDeps } from '../jobs/define-handler.ts'
import { eraseAlbum as eraseJob } from '../jobs/erase-album.ts'
import { createLog } from '../log.ts'
import { album, domain, newAlbumForEachTest } from '../testing/domain-album.ts'
import { samplePath } from '../testing/sample-photos.ts'
import { eraseAlbum } from './erase.ts'
import { uploadBatch } from './upload.ts'

newAlbumForEachTest()

const outage = new AppError('SERVICE_UNAVAILABLE', 'The photo storage is currently unavailable')
const fail = () => Promise.reject(outage)

test('a batch that cannot be stored is not recorded, and is stored when it is sent again', async () => {
  const upload = async (storage: typeof domain.storage) => {
    const files = [await domain.stage(samplePath(1)), await domain.stage(samplePath(2))]
    return await uploadBatch({ ...domain, storage }, album, { totalIntendedPhotos: 2 }, files)
  }
  await expect(upload({ ...domain.storage, move: fail })).rejects.toBe(outage)
  const photos = domain.db.selectFrom('photos').select('id').where('album_id', '=', album.id)
  expect(await photos.execute()).toEqual([])
  expect(await upload(domain.storage)).toMatchObject({ successful: 2, failed: 0 })
  expect(await photos.execute()).toHaveLength(2)
})

test('an erasure counts the files that cannot be deleted, and its job deletes them later', async () => {
  const faces = {
    engine: 'embedded',
    deleteCollection: async () => {},
    countFaces: async () => 0,
  } as Partial<FaceIndex> as FaceIndex
  const deps = { ...domain, faces, log: createLog('silent') } as Partial<JobDeps> as JobDeps
  const without = { ...deps, storage: { ...domain.storage, deleteFolder: fail } }
  const folder = `albums/${album.id}`
  for (const size of ['original', 'thumb'])
    await domain.storage.write(`${folder}/1/${size}`, Buffer.from('x'), 'image/jpeg')
  expect(await eraseAlbum(without, album, COMMAND_LINE)).toMatchObject({ filesRemaining: 2 })
  const jobs = (await domain.waiting('erase-album')) as { albumId: string }[]
  const job = jobs.find(({ albumId }) => albumId === album.id)
  await expect(eraseJob.run(without, job, { attempt: 1 })).rejects.toBe(outage)
  await eraseJob.run(deps, job, { attempt: 2 })
  expect(await domain.storage.count(folder)).toBe(0)
})
