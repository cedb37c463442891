import { buffer } from 'node:stream/consumers'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { insertSubmission } from '../search/queries.ts'
import { matchSubmission, selfieKey } from '../search/submissions.ts'
import { putSettings } from '../testing/album-rows.ts'
import { albumWith, appOfFile, guestOf } from '../testing/app-of-file.ts'
import { type Answer, createClient, readSample, sampleUploads, type TestClient } from '../testing/client.ts'
import { insertMatchedSubmission } from '../testing/matched-submission.ts'
import { newSelfie, selfieFrom } from '../testing/selfie.ts'
import { findZip } from '../zips/find-zip.ts'
import { partOfToken } from '../zips/zip-address.ts'

const service = await appOfFile()
const { db } = service.context
const owner = createClient(service.url)
const { ownerKey, albumName } = await albumWith(owner, await sampleUploads([1, 2]), 'Opening night')
await owner.post(`/api/albums/${ownerKey}/settings`, { browsing: 'on' })
const { id: albumId, albumPassword: password } = (await owner.get(`/api/albums/by-name/${albumName}`)).body
  .album
const selfie = await readSample(1)
const enter = (client: TestClient, given = password) =>
  client.post(`/api/albums/${albumName}/authenticate`, { password: given })

const inHours = (hours: number | null) =>
  hours === null ? null : new Date(Date.now() + hours * 3_600_000).toISOString()
/** @param opens hours from now, like `closes` */
const setTimes = (opens: number | null, closes: number | null) =>
  putSettings(db, { opensAt: inHours(opens), closesAt: inHours(closes) }, albumId)
beforeEach(() => setTimes(null, null))

const before = () => setTimes(1, 2)
const within = () => setTimes(-1, 1)
const after = () => setTimes(-2, -1)
const SHUT = [
  ['before it opens', before, 'album_not_open'],
  ['after it has closed', after, 'album_closed'],
] as const

/** What somebody has got while the album was open. */
async function had(client: TestClient, of: { passwordVersion?: number; ownerKeyVersion?: number }) {
  const { photos, searchToken } = (await client.search(albumName, selfie)).body
  const [photo] = (await client.get(`/api/albums/${albumName}/photos`)).body.photos
  const zip = (await client.post('/api/zips', { photos: [photos[0].url] })).body.parts[0].url
  const photoId = photo.url.split('/photos/')[1].split('/')[0]
  const matches = [{ photoId, similarity: 99 }]
  const submission = await insertMatchedSubmission(db, { albumId, ...of }, matches)
  return { photos: [...photos, photo], searchToken, zip, submission }
}
const guest = await guestOf(service, owner, albumName)
const ofGuest = await had(guest, { passwordVersion: 1 })
const ofOwner = await had(owner, { ownerKeyVersion: 1 })

const path = (address: string) => address.replace(service.url, '')

/** Every call that gives something of the album. */
function callsOf(client: TestClient, { photos, searchToken, zip, submission }: typeof ofGuest) {
  const calls: Record<string, () => Promise<Answer>> = {
    'by-name': () => client.get(`/api/albums/by-name/${albumName}`),
    progress: () => client.get(`/api/albums/${albumId}/progress`),
    'all photos': () => client.get(`/api/albums/${albumName}/photos`),
    'a search': () => client.search(albumName, selfie),
    'a repeated search': () => client.search(albumName, { searchToken }),
    'a selfie for a results page': () => client.submitSelfie(selfie, { source: 'homepage' }),
    results: () => client.get(`/api/results/${submission}`),
    'photos of results': () => client.get(`/api/photos/${submission}`),
    'making a zip': () => client.post('/api/zips', { photos: [photos[0].url] }),
    'a zip': () => client.get(path(zip)),
  }
  for (const size of ['url', 'thumbUrl', 'previewUrl', 'downloadUrl'])
    for (const [index, photo] of photos.entries())
      calls[`${size} of photo ${index}`] = () => client.get(path(photo[size]))
  return calls
}

/** The job of a selfie that a guest has sent while the album was open. */
async function matchBegun(): Promise<void> {
  const begun = await db
    .transaction()
    .execute((trx) => insertSubmission(trx, [{ albumId, passwordVersion: 1, ownerKeyVersion: null }]))
  await service.context.storage.write(selfieKey(begun), selfie, 'image/jpeg')
  await matchSubmission(service.context, begun)
}

describe.each(SHUT)('%s', (_, shut, reason) => {
  test.each(Object.keys(callsOf(guest, ofGuest)))('a guest is refused: %s', async (name) => {
    await shut()
    const { status, body } = await callsOf(guest, ofGuest)[name]!()
    expect(body).toMatchObject({ reason, message: expect.any(String) })
    expect([401, 403]).toContain(status)
    expect(JSON.stringify(body)).not.toMatch(/photos?\/|sample|\btotal/i)
  })

  test('the right password is refused with the reason, and a wrong one as ever', async () => {
    await shut()
    const stranger = createClient(service.url)
    expect(await enter(stranger, 'guess')).toMatchObject({
      status: 401,
      body: { reason: 'unauthorized', message: 'Invalid password' },
    })
    expect((await stranger.get(`/api/albums/auth-status/${albumName}`)).body).toMatchObject({
      opensAt: null,
      isClosed: false,
    })
    expect(await enter(stranger)).toMatchObject({ status: 401, body: { reason } })
    const { body } = await stranger.get(`/api/albums/auth-status/${albumName}`)
    expect(body).toMatchObject({ isAuthenticated: false, isClosed: reason === 'album_closed' })
    expect(Date.parse(body.opensAt) > Date.now()).toBe(reason === 'album_not_open')
    // It opens by itself.
    await within()
    expect((await stranger.get(`/api/albums/by-name/${albumName}`)).status).toBe(200)
  })

  test('the album is not on the list, and a visit shows nothing but its name', async () => {
    await shut()
    expect((await guest.get('/api/albums/list')).body).toEqual([])
    for (const [client, as] of [[guest], [owner, 'guest']] as const) {
      const { data } = (await client.query('albums.visit', { albumName, as })).body.result
      expect(data).toMatchObject({ isAuthenticated: false, album: null, progress: null })
    }
  })

  test('no search covers it', async () => {
    const other = await owner.createAlbum('Another')
    const visitor = await guestOf(service, owner, albumName)
    await guestOf(service, owner, other.albumName, visitor)
    await shut()
    const search = vi.spyOn(service.context.faces, 'search')
    await matchBegun()
    // Results of several albums show those that are open.
    const { id } = (await visitor.get(`/api/albums/by-name/${other.albumName}`)).body.album
    await db
      .insertInto('submission_albums')
      .values({ submission_id: ofGuest.submission, album_id: id, password_version: 1, matches: 0 })
      .execute()
    const results = (await guest.get(`/api/results/${ofGuest.submission}`)).body
    expect(results).toMatchObject({ processed: true, totalMatches: 0, photos: [] })
    const { body } = await visitor.submitSelfie(selfie, { source: 'homepage' })
    expect(body.redirectTo).toBe('/selfie/no-results')
    expect(search).not.toHaveBeenCalled()
    search.mockRestore()
    await owner.delete(`/api/albums/${other.ownerKey}`)
  })

  test('the owner sees and does everything', async () => {
    await shut()
    const refused: string[] = []
    for (const [name, call] of Object.entries(callsOf(owner, ofOwner)))
      if ((await call()).status !== 200) refused.push(name)
    expect(refused).toEqual([])
    const { body } = await owner.get(`/api/results/${ofOwner.submission}`)
    expect((await createClient(service.url).get(path(body.photos[0].url))).status).toBe(200)
  })
})

test('within its times a guest is refused nothing', async () => {
  await within()
  expect((await enter(guest)).status).toBe(200)
  const refused: string[] = []
  for (const [name, call] of Object.entries(callsOf(guest, ofGuest)))
    if ((await call()).status !== 200) refused.push(name)
  expect(refused).toEqual([])
  expect((await guest.get('/api/albums/list')).body).toHaveLength(1)
})

test('a search that is under way when the album is closed shows nothing', async () => {
  const { faces } = service.context
  const original = faces.search.bind(faces)
  const search = vi.spyOn(faces, 'search').mockImplementation(async (...given) => {
    const found = await original(...given)
    await after()
    return found
  })
  const { status, body } = await guest.search(albumName, selfie)
  expect([status, body.reason]).toEqual([401, 'album_closed'])
  search.mockRestore()
})

test('a zip that is under way when the album is closed ends early, and the owner gets all of it', async () => {
  const zipOf = (zip: string) =>
    findZip(service.context, partOfToken(service.context.keyring, zip.split('/zips/')[1]!)!)
  const [guests, owners] = [await zipOf(ofGuest.zip), await zipOf(ofOwner.zip)]
  await after()
  await expect(buffer(guests.open({ network: 'any' }))).rejects.toMatchObject({ reason: 'album_closed' })
  expect(await buffer(owners.open({ network: 'any' }))).toHaveLength(owners.size)
})

test('a guest who searched before can still opt out, and the receipt works', async () => {
  const ownSelfie = await newSelfie(await selfieFrom(db, 'sample2.jpg', await readSample(2)))
  const { searchToken } = (await guest.search(albumName, ownSelfie)).body
  await after()
  const optOut = await guest.post(`/api/albums/${albumName}/opt-out`, { searchToken })
  expect(optOut.status).toBe(200)
  const { receipt } = optOut.body
  expect((await guest.post('/api/opt-outs/undo', { receipt })).status).toBe(200)
})

test('no search covers an album whose faces have ended, for nobody, and its photos are there', async () => {
  await owner.post(`/api/albums/${ownerKey}/settings`, { facesEndDays: 90 })
  const ended = { faces_ended_at: new Date('2026-06-20T18:00:00Z'), engine: null }
  await db.updateTable('albums').set(ended).where('id', '=', albumId).execute()
  const search = vi.spyOn(service.context.faces, 'search')
  const refused = { status: 409, body: { reason: 'faces_ended' } }
  for (const client of [guest, owner]) {
    expect(await client.search(albumName, selfie)).toMatchObject(refused)
    expect(await client.submitSelfie(selfie, { source: 'homepage' })).toMatchObject(refused)
  }
  expect(await owner.submitSelfie(selfie, { userAlbumId: ownerKey })).toMatchObject(refused)
  await matchBegun()
  expect(search).not.toHaveBeenCalled()
  search.mockRestore()
  expect((await guest.get(`/api/albums/${albumName}/photos`)).body.photos).toHaveLength(2)
  expect((await guest.get(`/api/albums/${albumId}/progress`)).body).toMatchObject({
    facesEndedAt: '2026-06-20T18:00:00.000Z',
  })
  expect((await owner.get(`/api/albums/${ownerKey}/settings`)).body).toMatchObject({ facesEndDays: 90 })
})
