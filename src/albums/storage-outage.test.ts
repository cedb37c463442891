import { expect, test } from 'vitest'
import { COMMAND_LINE } from '../audit/audit-log.ts'
import { AppError } from '../errors.ts'
import type { FaceIndex } from '../faces/face-index.ts'
import { eraseAlbum as eraseJob } from '../jobs/albums.ts'
import { album, domain, newAlbumForEachTest } from '../testing/domain-album.ts'
import { eraseAlbum } from './erase.ts'

newAlbumForEachTest()

const outage = new AppError('SERVICE_UNAVAILABLE', 'The photo storage is currently unavailable')
const fail = () => Promise.reject(outage)

test('an erasure counts the files that cannot be deleted, and its job deletes them later', async () => {
  const faces = {
    engine: 'embedded',
    deleteCollection: async () => {},
    countFaces: async () => 0,
  } as Partial<FaceIndex> as FaceIndex
  const deps = { ...domain, faces }
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
