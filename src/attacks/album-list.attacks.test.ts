import { afterAll, beforeAll, expect, test } from 'vitest'
import { addListedAlbums } from '../testing/album-rows.ts'
import { type AttackedSite, startAttackedSite } from '../testing/attacked-site.ts'

const CALLS_IN_A_BATCH = 10
const REQUESTS_AT_ONCE = 8
/** Ten pages of 100 albums. */
const ANSWER_MAX_BYTES = 500_000

let site: AttackedSite
beforeAll(async () => {
  site = await startAttackedSite()
  await addListedAlbums(site.database.db, 'event', 100_000)
})
afterAll(() => site?.close())

function listBatch(calls: number): string {
  const input = Object.fromEntries(Array.from({ length: calls }, (_, index) => [index, { limit: 100 }]))
  const names = Array(calls).fill('albums.listPage').join(',')
  return `/trpc/${names}?batch=1&input=${encodeURIComponent(JSON.stringify(input))}`
}

test('asking for the list of 100,000 albums in batches delays nobody, and no answer is large', async () => {
  const stranger = site.stranger()
  await site.attack(async () => {
    const answers = await Promise.all(
      Array.from({ length: REQUESTS_AT_ONCE }, () => stranger.get(listBatch(CALLS_IN_A_BATCH))),
    )
    for (const { status, body } of answers) {
      expect(status).toBe(200)
      expect(JSON.stringify(body).length).toBeLessThan(ANSWER_MAX_BYTES)
    }
  })
})

test('a larger batch is refused as a whole', async () => {
  const { status, body } = await site.stranger().get(listBatch(40))
  expect(status).toBe(400)
  expect(JSON.stringify(body).length).toBeLessThan(1000)
})

test('empty albums push no album with photos off the list', async () => {
  const { db } = site.database
  await db.deleteFrom('albums').where('slug', 'like', 'event-%').execute()
  await addListedAlbums(db, 'empty', 1000)
  await db
    .updateTable('albums')
    .set({ photos_stored: 0, created_at: new Date() })
    .where('slug', 'like', 'empty-%')
    .execute()
  const { body } = await site.stranger().get('/api/albums/list')
  expect(body).toEqual([expect.objectContaining({ albumName: site.album.albumName })])
})

test('four hundred callers who ask again and again what anybody may ask delay nobody', async () => {
  const headers = { 'x-forwarded-for': '198.19.0.1', 'accept-encoding': 'br' }
  const paths = ['/healthz', '/api/openapi.json', '/api/docs', '/']
  const ask = async (path: string) => (await fetch(site.url + path, { headers })).arrayBuffer()
  await site.attack(() => Promise.allSettled(Array.from({ length: 100 }, () => paths.map(ask)).flat()))
})
