import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../testing/app.ts'
import { createClient, readSample, type TestClient } from '../testing/client.ts'
import { exifFields } from '../testing/exif-fields.ts'
import { waitUntil } from '../testing/wait.ts'

let service: TestApp
let owner: TestClient
let albumName: string
let selfie: Buffer

/** An album with sample 1 five times, in different qualities. */
beforeAll(async () => {
  service = await startTestApp()
  owner = createClient(service.url)
  selfie = await readSample(1)
  const album = await owner.createAlbum('Wedding')
  albumName = album.albumName
  const photos = await Promise.all(
    [95, 90, 85, 80, 75].map(async (quality) => ({
      name: `${quality}.jpg`,
      bytes: await sharp(selfie).jpeg({ quality }).toBuffer(),
    })),
  )
  await owner.uploadPhotos(album.ownerKey, photos, { totalIntendedPhotos: photos.length })
  await waitUntil('completion', async () => {
    return (await owner.get(`/api/albums/${album.ownerKey}/progress`)).body.isCompleted
  })
})
afterAll(() => service?.close())

/** @param fields in this order; the photo is the field `photo` */
async function search(fields: Record<string, string>) {
  const form = new FormData()
  for (const [name, value] of Object.entries({ photo: '', albumName, ...fields }))
    form.append(name, name === 'photo' ? new Blob([new Uint8Array(selfie)]) : value)
  return await owner.postForm('/api/search-in-album', form)
}

const nextPage = (page: string, client = owner) =>
  client.get(`/api/albums/${albumName}/found-photos?page=${page}`)

const named = (photos: { filename: string; similarity: number }[]) =>
  photos.map(({ filename, similarity }) => [filename, Math.round(similarity * 100)])

test('a search with a limit gives the first photos, and the others in pages, in the same order', async () => {
  const { body: whole, headers } = await search({})
  expect(headers.get('content-encoding')).toMatch(/^(br|gzip)$/)
  expect([whole.photos.length, whole.nextPages]).toEqual([5, undefined])
  const { body } = await search({ limit: '2' })
  expect([body.photos.length, body.matchedPhotos.length, body.totalMatches]).toEqual([2, 2, 5])
  expect(body.nextPages).toHaveLength(2)
  const rest = await Promise.all(body.nextPages.map((page: string) => nextPage(page)))
  expect(named([body, ...rest.map((answer) => answer.body)].flatMap(({ photos }) => photos))).toEqual(
    named(whole.photos),
  )
  const { url } = rest[1]!.body.photos[0]
  expect((await fetch(url)).status).toBe(200)
})

test('a page has addresses for the current password, and not for those who have lost access', async () => {
  const { body } = await search({ limit: '4' })
  const [page] = body.nextPages
  const guest = createClient(service.url)
  const { albumPassword: password } = (await owner.get(`/api/albums/by-name/${albumName}`)).body.album
  await guest.post(`/api/albums/${albumName}/authenticate`, { password })
  expect((await nextPage(page, guest)).status).toBe(200)
  const { id } = (await owner.get(`/api/albums/by-name/${albumName}`)).body.album
  await service.database.db
    .updateTable('albums')
    .set((album) => ({ password_version: album('password_version', '+', 1) }))
    .where('id', '=', id)
    .execute()
  expect((await nextPage(page, guest)).status).toBe(401)
  const answer = await nextPage(page)
  expect((await fetch(answer.body.photos[0].url)).status).toBe(200)
})

test('a photo that was erased meanwhile is missing on its page', async () => {
  const { body } = await search({ limit: '4' })
  const [page] = body.nextPages
  const before = (await nextPage(page)).body.photos
  const id = /photos\/([^/]+)/.exec(before[0].url)![1]!
  await service.database.db.deleteFrom('photos').where('id', '=', id).execute()
  expect((await nextPage(page)).body).toEqual({ photos: [] })
})

test('photos whose time is not known carry no Exif data, in any size', async () => {
  const [photo] = (await search({})).body.photos
  for (const address of [photo.url, photo.downloadUrl, photo.previewUrl, photo.thumbUrl])
    expect(await exifFields(Buffer.from(await (await fetch(address)).arrayBuffer()))).toBeUndefined()
})
