import sharp from 'sharp'
import { expect, test } from 'vitest'
import { albumWith, appOfFile } from '../testing/app-of-file.ts'
import { createClient, type FormFields, readSample } from '../testing/client.ts'

const service = await appOfFile()
const owner = createClient(service.url)
const selfie = await readSample(1)
/** Sample 1 five times, in different qualities. */
const photos = [95, 90, 85, 80, 75].map(async (quality) => ({
  name: `${quality}.jpg`,
  bytes: await sharp(selfie).jpeg({ quality }).toBuffer(),
}))
const { albumName } = await albumWith(owner, await Promise.all(photos), 'Wedding')

const search = (fields: FormFields) => owner.search(albumName, { photo: selfie, ...fields })
/** The photos after so many, by the token of a search. */
const pageAfter = (offset: number, searchToken: string) =>
  owner.search(albumName, { searchToken, limit: '2', offset: String(offset) })

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
