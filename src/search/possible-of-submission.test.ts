import { beforeEach, expect, test } from 'vitest'
import type { Album } from '../database/schema.ts'
import type { FaceMatch } from '../faces/face-index.ts'
import { insertOptOut } from '../testing/album-rows.ts'
import { domainOfFile } from '../testing/domain.ts'
import { fillAlbum } from '../testing/filled-album.ts'
import { insertSubmission, recordOutcome } from './queries.ts'
import { submissionResults } from './submission-results.ts'
import { forgetSelfie } from './submissions.ts'

const domain = await domainOfFile()
let album: Album
let id: string
/** Faces of different photos. */
let matches: FaceMatch[]

beforeEach(async () => {
  album = await domain.newAlbum()
  await fillAlbum(domain.db, album.id, { photos: 8, faces: 1 })
  const faces = await domain.db.selectFrom('faces').selectAll().where('album_id', '=', album.id).execute()
  matches = faces.map(({ id: faceId, photo_id: photoId }, place) => ({
    faceId,
    photoId,
    similarity: 90 - place,
  }))
  id = await domain.db
    .transaction()
    .execute((trx) =>
      insertSubmission(trx, [
        { albumId: album.id, passwordVersion: album.password_version, ownerKeyVersion: null },
      ]),
    )
})

const record = (sure: FaceMatch[], possible: FaceMatch[]) =>
  domain.db.transaction().execute((trx) => recordOutcome(trx, id, 'matched', { sure, possible }))

const results = () => submissionResults(domain, id, 'https://inframe.example')
const asked = async () => (await results()).possible?.map(({ face }) => face.id)

test('the photos that may show the person come with the face in question, the best match first', async () => {
  const [sure, second, first] = matches as [FaceMatch, FaceMatch, FaceMatch]
  await record([sure], [second, { ...first, similarity: 99 }])
  const { totalMatches, photos, possible } = await results()
  expect([totalMatches, photos?.length]).toEqual([1, 1])
  expect(possible?.map(({ face }) => face.id)).toEqual([first.faceId, second.faceId])
  expect(possible![0]).toMatchObject({
    previewUrl: expect.stringContaining(first.photoId),
    face: { box: { left: expect.closeTo(0.1), width: expect.closeTo(0.2) } },
  })
})

test('nobody is asked about a photo that is hidden or erased, or about a face that has opted out or is of a former password', async () => {
  const [hidden, erased, optedOut, ...shown] = matches as [FaceMatch, FaceMatch, FaceMatch, FaceMatch]
  await record([], matches)
  const { db } = domain
  await db.updateTable('photos').set({ state: 'hidden' }).where('id', '=', hidden.photoId).execute()
  await db.deleteFrom('photos').where('id', '=', erased.photoId).execute()
  const opt_out_id = await insertOptOut(db, album.id)
  await db.updateTable('faces').set({ opt_out_id }).where('id', '=', optedOut.faceId).execute()
  expect(await asked()).toEqual(shown.map(({ faceId }) => faceId))
  await db.updateTable('albums').set({ password_version: 2 }).where('id', '=', album.id).execute()
  expect(await asked()).toEqual([])
})

test('what a search with an owner key has found is shown until there is a new key', async () => {
  const { owner_key_version: ownerKeyVersion } = album
  id = await domain.db
    .transaction()
    .execute((trx) => insertSubmission(trx, [{ albumId: album.id, passwordVersion: null, ownerKeyVersion }]))
  const [sure, ...possible] = matches as [FaceMatch, ...FaceMatch[]]
  await record([sure], possible)
  const { db } = domain
  await db.updateTable('albums').set({ password_version: 2 }).where('id', '=', album.id).execute()
  expect((await results()).photos).toHaveLength(1)
  expect(await asked()).toHaveLength(possible.length)
  await db
    .updateTable('albums')
    .set({ owner_key_version: ownerKeyVersion + 1 })
    .where('id', '=', album.id)
    .execute()
  expect(await results()).toMatchObject({ totalMatches: 0, photos: [], possible: [] })
})

test('a selfie that is deleted before it was matched has failed, and has not found nothing', async () => {
  expect(await results()).toMatchObject({ processed: false })
  await forgetSelfie(domain, id)
  expect(await results()).toEqual({ processed: true, totalMatches: 0, photos: [], hasFailed: true })
})
