import { expect, test } from 'vitest'
import { findAlbum } from '../albums/queries.ts'
import { browseInput } from '../contract/albums/album-photos.ts'
import { countIndexed } from '../photos/owner-queries.ts'
import { album, domain, newAlbumForEachTest } from '../testing/domain.ts'
import { fillAlbum } from '../testing/filled-album.ts'
import { insertIndexedPhotos } from '../testing/indexed-photos.ts'
import { browseAlbum } from './browse.ts'

newAlbumForEachTest()

/** One page, as the call answers it. */
async function page(input: { limit: number; cursor?: string | undefined }) {
  const { limit, cursor } = browseInput.parse({ albumName: album.slug, ...input })
  return await browseAlbum(domain, album, { limit, cursor }, { origin: 'https://x.example', isOwner: false })
}

/** The names on all pages.
 *  @param between runs after each page */
async function allNames(limit: number, between: () => Promise<unknown> = async () => {}): Promise<string[]> {
  const names: string[] = []
  for (let cursor: string | undefined; ; ) {
    const { photos, nextCursor } = await page({ limit, cursor })
    names.push(...photos.map(({ filename }) => filename))
    await between()
    if (nextCursor === undefined) return names
    cursor = nextCursor
  }
}

test('photos come in the order in which they were taken, or else uploaded, and then by name with numbers as numbers', async () => {
  const listed: [filename: string, taken_at: string | null][] = [
    ['z.jpg', '1965-08-19T10:00:00'],
    ['B.jpg', '2025-08-19T10:00:00+02:00'],
    ['IMG_9.jpg', '2025-08-19T12:00:00'],
    ['img_10.jpg', '2025-08-19T12:00:00+09:00'],
    ['IMG_20250819140322.jpg', '2025-08-19T12:00:00'],
    ['IMG_20250820140322.jpg', '2025-08-19T12:00:00'],
    ['a.jpg', '2025-08-19T12:00:01'],
    ['2.jpg', null],
    ['10.jpg', null],
    ['1a'.repeat(120), null],
    ['c.jpg', '2026-11-01T00:00:00'],
  ]
  const ids = await insertIndexedPhotos(domain.db, album.id, listed.length)
  const created_at = new Date('2025-08-20T00:00:00Z')
  for (const [index, [filename, taken_at]] of listed.entries())
    await domain.db
      .updateTable('photos')
      .set({ filename, taken_at, created_at })
      .where('id', '=', ids[(index * 7) % ids.length]!)
      .execute()
  const names = listed.map(([filename]) => filename.replace(/1a$/, '1a.jpg'))
  ;[names[7], names[8], names[9]] = [names[9]!, names[7]!, names[8]!]
  for (const limit of [1, 2, 6, 100]) expect(await allNames(limit)).toEqual(names)
})

test('photos that share a time and a name are each on one page', async () => {
  const ids = await insertIndexedPhotos(domain.db, album.id, 5)
  const name = 'a "quoted" name.with.dots – ü 😀.jpg'
  await domain.db.updateTable('photos').set({ filename: name }).where('id', 'in', ids).execute()
  const urls: string[] = []
  for (let cursor: string | undefined; urls.length < 5; ) {
    const { photos, nextCursor } = await page({ limit: 2, cursor })
    urls.push(...photos.map(({ url }) => url))
    cursor = nextCursor
  }
  expect(new Set(urls).size).toBe(5)
  for (const id of ids) expect(urls.join()).toContain(`https://x.example/photos/${id}/full?`)
})

test('photos that are added or erased meanwhile move no other photo to another page', async () => {
  const ids = await insertIndexedPhotos(domain.db, album.id, 6)
  const names = await allNames(2, async () => {
    const erased = ids.shift()
    if (erased) await domain.db.deleteFrom('photos').where('id', '=', erased).execute()
  })
  expect(names).toEqual(['1.jpg', '2.jpg', '3.jpg', '4.jpg', '5.jpg', '6.jpg'])
})

test('photos that wait to be indexed or were given up are left out, also of the count', async () => {
  await fillAlbum(domain.db, album.id, { photos: 100, faces: 1 })
  const { photos, nextCursor } = await page({ limit: 100 })
  expect([photos.length, nextCursor]).toEqual([98, undefined])
  expect(await countIndexed(domain.db, (await findAlbum(domain.db, { id: album.id }))!)).toBe(98)
})

test('an album without photos has one empty page', async () => {
  expect(await page({ limit: 10 })).toEqual({ photos: [], nextCursor: undefined })
})

test.for(['x', '1.2.3', '1.9a8b7c6d-5e4f-4a3b-8c2d-1e0f9a8b7c6d.\0', `9${'9'.repeat(16)}.`])(
  'the cursor %j is refused',
  (cursor) => {
    expect(browseInput.safeParse({ albumName: 'x', cursor }).success).toBe(false)
  },
)
