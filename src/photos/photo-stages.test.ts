import { expect, test } from 'vitest'
import { album, domain, newAlbumForEachTest } from '../testing/domain-album.ts'
import { fillAlbum } from '../testing/filled-album.ts'
import { countPhotosByStage } from './queries.ts'

newAlbumForEachTest()

test('the photos of all albums are counted by stage, without those of an album that is being erased', async () => {
  expect(await countPhotosByStage(domain.db)).toEqual({ waiting: 0, indexed: 0, given_up: 0 })
  const erased = await domain.newAlbum()
  for (const { id } of [album, await domain.newAlbum(), erased])
    await fillAlbum(domain.db, id, { photos: 200, faces: 1 })
  await domain.db.deleteFrom('albums').where('id', '=', erased.id).execute()
  expect(await countPhotosByStage(domain.db)).toEqual({ waiting: 4, indexed: 392, given_up: 4 })
})
