import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findAlbum } from '../albums/queries.ts'
import { optOutsLink } from '../opt-outs/owner-links.ts'
import { boxOf } from '../photos/face-box.ts'
import { startTestApp, type TestApp } from '../testing/app.ts'
import { createClient, readSample, type TestClient } from '../testing/client.ts'
import { cropFace, SAMPLES } from '../testing/sample-photos.ts'
import { newSelfie } from '../testing/selfie.ts'
import { waitUntil } from '../testing/wait.ts'

/** From one network: the larger of 3% of the album's faces, and this. */
const AT_ONCE_FROM_NETWORK = 20

let service: TestApp
let owner: TestClient
let album: { id: string; albumName: string; ownerKey: string; password: string }
/** The faces of the album at first, and a new picture of each person. */
let faces: number
let strangersSelfies: Buffer[]

beforeAll(async () => {
  service = await startTestApp()
  owner = createClient(service.url)
  const created = await owner.createAlbum('Wedding')
  const photos = await Promise.all(
    SAMPLES.map(async (number) => ({ name: `${number}.jpg`, bytes: await readSample(number) })),
  )
  await upload(created.ownerKey, photos)
  await owner.post(`/api/albums/${created.ownerKey}/settings`, { browsing: 'on' })
  const { body } = await owner.get(`/api/albums/by-name/${created.albumName}`)
  album = { ...created, id: body.album.id, password: body.album.albumPassword }
  faces = (await shownFaces()).length
  const rows = await db()
    .selectFrom('faces')
    .innerJoin('photos', 'photos.id', 'photo_id')
    .selectAll('faces')
    .select('filename')
    .execute()
  strangersSelfies = await Promise.all(
    rows.map(async (row) => {
      const { bytes } = photos.find(({ name }) => name === row.filename)!
      return await newSelfie(await cropFace(bytes, boxOf(row), 1.6))
    }),
  )
})
afterAll(() => service?.close())

const db = () => service.database.db
const shownFaces = () => db().selectFrom('faces').select('id').where('opt_out_id', 'is', null).execute()

async function upload(ownerKey: string, photos: { name: string; bytes: Buffer }[]): Promise<void> {
  const { status } = await owner.uploadPhotos(ownerKey, photos, { totalIntendedPhotos: photos.length })
  expect(status).toBe(200)
  await waitUntil('all photos to be indexed', async () => {
    const { body } = await owner.get(`/api/albums/${ownerKey}/progress`)
    return body.isCompleted
  })
}

/** A new session each time: entering the album again costs nothing. */
async function guest(): Promise<TestClient> {
  const client = createClient(service.url)
  await client.post(`/api/albums/${album.albumName}/authenticate`, { password: album.password })
  return client
}

/** Searches with a picture, and opts out the person found, if the answer allows it.
 *  @returns the state of the opt-out, or why there is none */
async function optOutWith(picture: Buffer, face = 0, keepOut = false): Promise<string> {
  const attacker = await guest()
  const form = new FormData()
  form.append('photo', new Blob([new Uint8Array(picture)]), 'selfie.jpg')
  form.append('albumName', album.albumName)
  form.append('faces', String(face))
  const { status, body } = await attacker.postForm('/api/search-in-album', form)
  if (status !== 200 || body.totalMatches === 0) return 'nobody found'
  if (!body.optOut) return body.optOutNeedsNewSelfie ? 'needs a new selfie' : 'nothing to opt out'
  const answer = await attacker.post(`/api/albums/${album.albumName}/opt-out`, {
    faces: body.optOut.faces,
    keepOut,
  })
  return answer.status === 200 ? answer.body.state : `status ${answer.status}`
}

/** Opts out people with other pictures of them, one after another.
 *  @returns how often each state was answered */
async function optOutEach(selfies: Buffer[], keepOut: boolean): Promise<Map<string, number>> {
  const states: string[] = []
  for (const selfie of selfies) states.push(await optOutWith(selfie, 0, keepOut))
  return new Map(
    Object.entries(Object.groupBy(states, (state) => state)).map(([state, all]) => [state, all!.length]),
  )
}

/** As the owner does with the letter's link. */
async function revokeAllOfToday(): Promise<void> {
  const { keyring } = service.context.services
  const token = optOutsLink(keyring, '', (await findAlbum(db(), { id: album.id }))!).split('#')[1]!
  const call = async (name: string, input: object) =>
    (await owner.post(`/trpc/optOuts.${name}`, { token, ...input })).body.result.data.optOuts as {
      id: string
      state: string
    }[]
  const idsIn = (list: { id: string; state: string }[], wanted: string) =>
    list.flatMap(({ id, state }) => (state === wanted ? id : []))
  const list = await call('list', {})
  for (const [state, change] of [
    ['hidden', 'revoke'],
    ['waiting', 'refuse'],
  ] as const)
    if (idsIn(list, state).length > 0) await call('answer', { ids: idsIn(list, state), change })
  await db().deleteFrom('rate_limits').execute()
}

test('with the photos of an open album as selfies, nobody can be opted out', async () => {
  const attacker = await guest()
  const { body } = await attacker.get(`/api/albums/${album.albumName}/photos`)
  const outcomes: string[] = []
  for (const { previewUrl } of body.photos as { previewUrl: string }[]) {
    const picture = Buffer.from(await (await fetch(previewUrl)).arrayBuffer())
    // A screenshot of the largest face, and the photo itself with others.
    const screenshot = await sharp(picture).resize(1170).jpeg({ quality: 80 }).toBuffer()
    outcomes.push(await optOutWith(screenshot))
    for (const face of [1, 2]) outcomes.push(await optOutWith(picture, face))
  }
  expect(new Set(outcomes)).toEqual(new Set(['needs a new selfie']))
  expect(outcomes).toHaveLength(3 * SAMPLES.length)
  expect(await shownFaces()).toHaveLength(faces)
})

test('with pictures of everybody, only few faces can be hidden at once, and the owner brings all back', async () => {
  const states = await optOutEach(strangersSelfies, false)
  expect(states.get('waiting')).toBeGreaterThan(0)
  const hidden = faces - (await shownFaces()).length
  expect(hidden).toBeGreaterThan(0)
  expect(hidden).toBeLessThanOrEqual(AT_ONCE_FROM_NETWORK)
  await revokeAllOfToday()
  expect(await shownFaces()).toHaveLength(faces)
})

test('keeping people out of later photos hides few faces in them, and the owner brings all back', async () => {
  const states = await optOutEach(strangersSelfies.slice(0, 8), true)
  expect(states.get('hidden')).toBeGreaterThan(0)
  const later = await Promise.all(
    [1, 4].map(async (number) => ({
      name: `later ${number}.jpg`,
      bytes: await sharp(await readSample(number))
        .flop()
        .jpeg()
        .toBuffer(),
    })),
  )
  await upload(album.ownerKey, later)
  await revokeAllOfToday()
  const facesOf = async (pattern: string) =>
    (
      await db()
        .selectFrom('faces')
        .innerJoin('photos', 'photos.id', 'photo_id')
        .select('faces.id')
        .where('filename', 'like', pattern)
        .where('opt_out_id', 'is', null)
        .execute()
    ).length
  await waitUntil('the later photos to have all their faces', async () => (await facesOf('later%')) === 7)
  expect(await facesOf('_.jpg')).toBe(faces)
})

test('lists of faces that are not valid use up nothing of those behind the same address', async () => {
  const attacker = await guest()
  const counts = () => db().selectFrom('rate_limits').select(['key', 'count']).orderBy('key').execute()
  const before = await counts()
  for (const list of ['x', 'y', ''])
    expect((await attacker.post(`/api/albums/${album.albumName}/opt-out`, { faces: list })).status).toBe(400)
  expect(await counts()).toEqual(before)
})
