import { beforeAll, expect, test, vi } from 'vitest'
import { insertSubmission } from '../search/queries.ts'
import { matchSubmission, selfieKey } from '../search/submissions.ts'
import { appOfFile, guestOf } from '../testing/app-of-file.ts'
import { createClient, readSample } from '../testing/client.ts'
import { insertIndexedPhotos } from '../testing/indexed-photos.ts'

const service = await appOfFile({ work: false })
const { db } = service.context
const owner = createClient(service.url)
const { ownerKey, albumName } = await owner.createAlbum('Long ago')
const { id: albumId } = (await owner.get(`/api/albums/by-name/${albumName}`)).body.album
await insertIndexedPhotos(db, albumId, 2)
await owner.post(`/api/albums/${ownerKey}/settings`, { browsing: 'on', facesEndDays: 90 })
const guest = await guestOf(service, owner, albumName)
const selfie = await readSample(1)
const search = vi.spyOn(service.context.faces, 'search')

beforeAll(async () => {
  const ended = { faces_ended_at: new Date('2026-06-20T18:00:00Z'), engine: null }
  await db.updateTable('albums').set(ended).where('id', '=', albumId).execute()
})

test('no search covers an album whose faces have ended, for nobody', async () => {
  const ended = { status: 409, body: { reason: 'faces_ended' } }
  for (const client of [guest, owner]) {
    expect(await client.search(albumName, selfie)).toMatchObject(ended)
    expect(await client.submitSelfie(selfie, { source: 'homepage' })).toMatchObject(ended)
  }
  expect(await owner.submitSelfie(selfie, { userAlbumId: ownerKey })).toMatchObject(ended)
  const begun = await db
    .transaction()
    .execute((trx) => insertSubmission(trx, [{ albumId, passwordVersion: 1, ownerKeyVersion: null }]))
  await service.context.storage.write(selfieKey(begun), selfie, 'image/jpeg')
  await matchSubmission(service.context, begun)
  expect(search).not.toHaveBeenCalled()
})

test('its photos are there, and the progress says since when nobody is found', async () => {
  expect((await guest.get(`/api/albums/${albumName}/photos`)).body.photos).toHaveLength(2)
  expect((await guest.get(`/api/albums/${albumId}/progress`)).body).toMatchObject({
    facesEndedAt: '2026-06-20T18:00:00.000Z',
  })
  expect((await owner.get(`/api/albums/${ownerKey}/settings`)).body).toMatchObject({ facesEndDays: 90 })
})
