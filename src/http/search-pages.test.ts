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

/** The photos after so many, by the token of a search. */
async function pageAfter(offset: number, searchToken: string, limit = 2) {
  const form = new FormData()
  for (const [name, value] of Object.entries({
    albumName,
    searchToken,
    limit: String(limit),
    offset: String(offset),
  }))
    form.append(name, value)
  return await owner.postForm('/api/search-in-album', form)
}

const named = (photos: { filename: string; similarity: number }[]) =>
  photos.map(({ filename, similarity }) => [filename, Math.round(similarity * 100)])

test('a search with a limit gives the first photos, and by its token the others in pages, in the same order', async () => {
  const { body: whole, headers } = await search({})
  expect(headers.get('content-encoding')).toMatch(/^(br|gzip)$/)
  expect(whole.photos).toHaveLength(5)
  const { body } = await search({ limit: '2' })
  expect([body.photos.length, body.matchedPhotos.length, body.totalMatches]).toEqual([2, 2, 5])
  const rest = await Promise.all([2, 4].map((offset) => pageAfter(offset, body.searchToken)))
  expect(named([body, ...rest.map((answer) => answer.body)].flatMap(({ photos }) => photos))).toEqual(
    named(whole.photos),
  )
  const { url } = rest[1]!.body.photos[0]
  expect((await fetch(url)).status).toBe(200)
  expect((await pageAfter(5, body.searchToken)).body).toMatchObject({ photos: [], totalMatches: 5 })
})

test('a photo that was erased meanwhile is missing on its page', async () => {
  const { searchToken } = (await search({ limit: '4' })).body
  const [last] = (await pageAfter(4, searchToken)).body.photos
  const id = /photos\/([^/]+)/.exec(last.url)![1]!
  await service.database.db.deleteFrom('photos').where('id', '=', id).execute()
  expect((await pageAfter(4, searchToken)).body).toMatchObject({ photos: [], totalMatches: 4 })
})

test('photos whose time is not known carry no Exif data, in any size', async () => {
  const [photo] = (await search({})).body.photos
  for (const address of [photo.url, photo.downloadUrl, photo.previewUrl, photo.thumbUrl])
    expect(await exifFields(Buffer.from(await (await fetch(address)).arrayBuffer()))).toBeUndefined()
})
