import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AttackedSite, startAttackedSite } from '../testing/attacked-site.ts'
import { readSample, type TestClient } from '../testing/client.ts'
import { crowdOf } from '../testing/sample-photos.ts'
import { selfieFrom } from '../testing/selfie.ts'
import { waitUntil } from '../testing/wait.ts'

const FURTHER_ALBUMS = 4

let site: AttackedSite
/** A picture of one face, and one of a hundred. */
let face: Buffer
let crowd: Buffer
/** May search five albums. */
let submitter: TestClient

beforeAll(async () => {
  site = await startAttackedSite()
  face = await selfieFrom(site.database.db, 'sample1.jpg', await readSample(1))
  crowd = await crowdOf([face])
  submitter = await site.guest()
  const passwords = await Promise.all(Array.from({ length: FURTHER_ALBUMS }, createFurtherAlbum))
  // One after another, because each answer has a new cookie.
  for (const [albumName, password] of passwords) {
    const { status } = await submitter.post(`/api/albums/${albumName}/authenticate`, { password })
    expect(status).toBe(200)
  }
})
afterAll(() => site.close())

/** Creates an album with one indexed photo.
 *  @returns its name and its password */
async function createFurtherAlbum(): Promise<[albumName: string, password: string]> {
  const owner = site.stranger()
  const { ownerKey, albumName } = await owner.createAlbum('Another party')
  await owner.uploadPhotos(ownerKey, [{ name: 'face.jpg', bytes: face }], { totalIntendedPhotos: 1 })
  await waitUntil(
    'the photo to be indexed',
    async () => (await owner.get(`/api/albums/${ownerKey}/progress`)).body.isCompleted,
  )
  const { body } = await owner.get(`/api/albums/by-name/${albumName}`)
  return [albumName, body.album.albumPassword]
}

test('a guest who searches five albums, again and again, with a selfie of a hundred faces does not hold up others', async () => {
  await site.attack(async () => {
    expect((await submitter.submitSelfie(crowd)).status).toBe(200)
    expect((await submitter.search(site.album.albumName, crowd)).status).toBe(200)
  })
})
