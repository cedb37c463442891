import { describe, expect, test } from 'vitest'
import { appOfFile } from '../testing/app-of-file.ts'
import { createClient } from '../testing/client.ts'
import { insertIndexedPhotos } from '../testing/indexed-photos.ts'
import { insertMatchedSubmission } from '../testing/matched-submission.ts'

const service = await appOfFile({ work: false })
const owner = createClient(service.url)
const { albumName } = await owner.createAlbum('Wedding')
const albumId = (await owner.get(`/api/albums/by-name/${albumName}`)).body.album.id

/** A submission with `count` matches; the last photo is the best match. */
async function withMatches(count: number): Promise<string> {
  const { db } = service.database
  const photos = await insertIndexedPhotos(db, albumId, count)
  const matches = photos.map((photoId, index) => ({ photoId, similarity: 60 + index }))
  return await insertMatchedSubmission(db, { albumId }, matches)
}

const filenames = (photos: { filename: string }[]) => photos.map((photo) => photo.filename)

describe('the photos of a submission', () => {
  test('come in pages when a client asks for pages, also where photos are equally similar', async () => {
    const { db } = service.database
    const id = await withMatches(7)
    await db
      .updateTable('submission_matches')
      .set({ similarity: 88.4 })
      .where('similarity', '<', 65)
      .execute()
    const all = (await owner.get(`/api/photos/${id}`)).body.photos
    const pages: string[][] = []
    for (let cursor: string | undefined = ''; cursor !== undefined; ) {
      const { body } = await owner.get(`/api/photos/${id}?limit=3&cursor=${cursor}`)
      pages.push(filenames(body.photos))
      cursor = body.nextCursor
    }
    expect(pages.map((page) => page.length)).toEqual([3, 3, 1])
    expect(pages.flat()).toEqual(filenames(all))
    const whole = (await owner.get(`/api/photos/${id}?limit=7`)).body
    expect(whole).toEqual({ photos: all })
  })

  test.for([
    ['limit=0', 'A page has 1 to 1000 photos'],
    ['limit=1001', 'A page has 1 to 1000 photos'],
    ['cursor=1_2', 'This is not a cursor of the list'],
  ] as const)('are refused for %s', async ([query, reason]) => {
    const { status, body } = await owner.get(`/api/photos/${await withMatches(1)}?${query}`)
    expect([status, body.message]).toEqual([400, expect.stringContaining(reason)])
  })
})
