import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { guestOf, uploadAll } from '../testing/app-of-file.ts'
import { readSample, sampleUploads, type TestClient } from '../testing/client.ts'
import { albumName, createAlbumForEachTest, owner, ownerKey, service } from '../testing/own-album.ts'
import { plainWall } from '../testing/sample-photos.ts'

createAlbumForEachTest({})

const NOTHING = { entered: 0, searched: 0, found: 0, noFace: 0, nothing: 0, takenHome: 0, letters: 0 }

const numbers = async () => (await owner.get(`/api/albums/${ownerKey}/guests`)).body

const enter = (guest?: TestClient) => guestOf(service, owner, albumName, guest)
const uploadAndIndex = async () => uploadAll(owner, ownerKey, await sampleUploads([1, 2]))

test('a guest is counted once, and the server keeps numbers only', async () => {
  await uploadAndIndex()
  const guest = await enter()
  await enter(guest)
  const { photos } = (await guest.search(albumName, await readSample(1))).body
  await guest.search(albumName, await readSample(1))
  const stranger = await enter()
  await stranger.search(albumName, await readSample(6))
  expect((await stranger.search(albumName, await plainWall())).status).toBe(422)
  for (const size of ['url', 'downloadUrl']) await guest.get(photos[0][size].replace(service.url, ''))
  const { parts } = (await guest.post('/api/zips', { photos: [photos[0].url] })).body
  await guest.get(parts[0].url.replace(service.url, ''))
  const all = { ...NOTHING, entered: 2, searched: 2, found: 1, nothing: 1, noFace: 1, takenHome: 2 }
  const { hours, ...totals } = await numbers()
  expect(totals).toEqual(all)
  expect(hours).toEqual([{ ...all, hour: expect.stringMatching(/:00:00.000Z$/) }])
})

test('what the owner does is not counted, and a guest who has logged out is a new one', async () => {
  await uploadAndIndex()
  await enter(owner)
  const { photos } = (await owner.search(albumName, await readSample(1))).body
  await owner.get(photos[0].downloadUrl.replace(service.url, ''))
  expect(await numbers()).toEqual({ ...NOTHING, hours: [] })
  const guest = await enter()
  await guest.post('/api/log-out', {})
  await enter(guest)
  expect(await numbers()).toMatchObject({ entered: 2 })
})

test('a submitted selfie counts like a search', async () => {
  await uploadAndIndex()
  const guest = await enter()
  await guest.submitSelfie(await readSample(1))
  await guest.submitSelfie(await plainWall())
  expect(await numbers()).toMatchObject({ searched: 1, found: 1, noFace: 1, nothing: 0 })
})

test('each hour has its own numbers', async () => {
  await enter()
  await sql`update album_hours set hour = hour - interval '1 hour'`.execute(service.context.db)
  await enter()
  const { hours, entered } = await numbers()
  expect(entered).toBe(2)
  expect(hours.map((row: { entered: number }) => row.entered)).toEqual([1, 1])
})
