import { expect, test } from 'vitest'
import type { WhichPhotos } from '../contract/desk-photos.ts'
import type { UnindexedFace, UnindexedReason } from '../faces/face-index.ts'
import { createPhotoLinks } from '../photos/links.ts'
import { ownerPhotos } from '../photos/owner-photos.ts'
import { countPhotosByStage } from '../photos/queries.ts'
import { album, domain, newAlbumForEachTest } from '../testing/domain.ts'
import { indexedFace } from '../testing/engine-answers.ts'
import { fillAlbum } from '../testing/filled-album.ts'
import { samplePath } from '../testing/sample-photos.ts'
import { uploadBatch } from '../uploads/accept-batch.ts'
import { coverageOf } from './coverage.ts'
import { findAlbum } from './queries.ts'

newAlbumForEachTest()

const facesLeftOut = (count: number, reason: UnindexedReason): UnindexedFace[] =>
  Array.from({ length: count }, () => ({
    reasons: [reason],
    box: { left: Math.random(), top: Math.random(), width: 0.01, height: 0.01 },
  }))

async function coverageWith(faces: number, unindexed: UnindexedFace[]) {
  await uploadBatch(domain, album, {}, [await domain.stage(samplePath(1))])
  const photo = await domain.db
    .selectFrom('photos')
    .selectAll()
    .where('album_id', '=', album.id)
    .executeTakeFirstOrThrow()
  await domain.settle(photo, { faces: Array.from({ length: faces }, indexedFace), unindexed })
  return await coverageOf(domain.db, (await findAlbum(domain.db, { id: album.id }))!)
}

async function reasonsOf(which: WhichPhotos) {
  const deps = { ...domain, links: createPhotoLinks(domain) }
  const { photos } = await ownerPhotos(deps, album, { which, limit: 10 }, 'http://localhost')
  return photos.map(({ reason }) => reason)
}

test('a photo of a large crowd says how many faces are left out and why, without their boxes', async () => {
  const leftOut = [...facesLeftOut(100, 'EXCEEDS_MAX_FACES'), ...facesLeftOut(1_200, 'SMALL_BOUNDING_BOX')]
  const coverage = await coverageWith(1_000, leftOut)
  expect(coverage).toMatchObject({ facesFound: 1_000, photosSearchable: 1, photosPartlySearchable: 1 })
  expect(await reasonsOf('partly')).toEqual([
    '1300 faces cannot be searched for: beyond the number that one photo may have, too small',
  ])
})

test('a photo that shows nobody says that no face was found', async () => {
  expect(await coverageWith(0, [])).toMatchObject({ photosSearchable: 0, photosOfNobody: 1 })
  expect(await reasonsOf('nobody')).toEqual(['No face was found in this photo'])
})

test('the photos of all albums are counted by stage, without those of an album that is being erased', async () => {
  await domain.db.deleteFrom('albums').execute()
  await domain.db.deleteFrom('photos').execute()
  const [one, other, erased] = [await domain.newAlbum(), await domain.newAlbum(), await domain.newAlbum()]
  for (const { id } of [one, other, erased]) await fillAlbum(domain.db, id, { photos: 200, faces: 1 })
  await domain.db.deleteFrom('albums').where('id', '=', erased.id).execute()
  expect(await countPhotosByStage(domain.db)).toEqual({ waiting: 4, indexed: 392, given_up: 4 })
})
