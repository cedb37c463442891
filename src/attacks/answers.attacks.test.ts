import { randomUUID } from 'node:crypto'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { FaceIndex, PersonQuery } from '../faces/face-index.ts'
import { startTestApp, type TestApp } from '../testing/app.ts'
import { createClient, type TestClient } from '../testing/client.ts'
import { expectError } from '../testing/expect-error.ts'
import { insertIndexedPhotos } from '../testing/indexed-photos.ts'

let service: TestApp
let owner: TestClient
let ownerKey: string
let albumName: string
let albumId: string
let photoId: string
let faceId: string
let selfie: Buffer
/** The faces from which a search has continued. */
let continuedFrom: string[] = []

/** Asks everybody about the only face of the album. */
const engine = {
  engine: 'embedded',
  async search([id], { confirmed = [] }: PersonQuery) {
    continuedFrom = confirmed
    return {
      found: new Map([[id!, { sure: [], possible: [{ faceId, photoId, similarity: 40 }] }]]),
      selfies: [],
    }
  },
  prepare: () => {},
  check: async () => {},
  close: async () => {},
} as Partial<FaceIndex> as FaceIndex

beforeAll(async () => {
  service = await startTestApp({ work: false, faces: engine })
  owner = createClient(service.url)
  ;({ ownerKey, albumName } = await owner.createAlbum())
  albumId = (await owner.get(`/api/albums/by-name/${albumName}`)).body.album.id
  ;[photoId] = (await insertIndexedPhotos(service.database.db, albumId, 1)) as [string]
  faceId = randomUUID()
  const box = { box_left: 0.25, box_top: 0.125, box_width: 0.5, box_height: 0.375 }
  await service.database.db
    .insertInto('faces')
    .values({ id: faceId, album_id: albumId, photo_id: photoId, confidence: 99, ...box })
    .execute()
  selfie = await sharp({ create: { width: 80, height: 80, channels: 3, background: '#a86' } })
    .png()
    .toBuffer()
})
afterAll(() => service?.close())

async function newGuest(): Promise<TestClient> {
  const guest = createClient(service.url)
  const { albumPassword: password } = (await owner.get(`/api/albums/by-name/${albumName}`)).body.album
  expect((await guest.post(`/api/albums/${albumName}/authenticate`, { password })).status).toBe(200)
  return guest
}

async function search(guest: TestClient, fields: Record<string, string> = {}) {
  const form = new FormData()
  for (const [name, value] of Object.entries({ albumName, ...fields })) form.append(name, value)
  form.append('photo', new Blob([new Uint8Array(selfie)]), 'selfie.jpg')
  continuedFrom = []
  return await guest.postForm('/api/search-in-album', form)
}

const askedOf = async (guest: TestClient): Promise<string> => (await search(guest)).body.possible[0].face.id

test('nobody searches from a face that they were not asked about, not even with an id that was given to another guest', async () => {
  const [guest, other] = [await newGuest(), await newGuest()]
  const given = await askedOf(other)
  const [signature, id] = [given.slice(0, 22), given.slice(22)]
  const tries = [
    // It can be computed from the ids of the album and the photo.
    faceId,
    given,
    `${signature.slice(1)}A${id}`,
    Buffer.concat([Buffer.alloc(16), Buffer.from(faceId.replaceAll('-', ''), 'hex')]).toString('base64url'),
  ]
  for (const answerer of [guest, owner, createClient(service.url, guest.cookie())])
    for (const confirmed of tries) {
      expectError(await search(answerer, { confirmed }), 400, /^You can only answer about faces/)
      expect(continuedFrom).toEqual([])
    }
  const own = await askedOf(guest)
  expectError(await search(guest, { confirmed: `${own},${given}` }), 400, /^You can only answer about faces/)
  expect((await search(guest, { confirmed: own })).status).toBe(200)
  expect(continuedFrom).toEqual([faceId])
})

test('an id ends with the session and with the password', async () => {
  const guest = await newGuest()
  const former = await askedOf(guest)
  await guest.post('/api/log-out', {})
  const again = await newGuest()
  expectError(await search(again, { confirmed: former }), 400, /^You can only answer about faces/)
  const current = await askedOf(again)
  await owner.post(`/api/albums/${ownerKey}/password`, {})
  const { albumPassword: password } = (await owner.get(`/api/albums/by-name/${albumName}`)).body.album
  await again.post(`/api/albums/${albumName}/authenticate`, { password })
  expectError(await search(again, { confirmed: current }), 400, /^You can only answer about faces/)
})
