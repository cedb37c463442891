import { expect, test } from 'vitest'
import type { Db } from '../database/client.ts'
import type { Album } from '../database/schema.ts'
import type { FaceIndex } from '../faces/face-index.ts'
import type { Decoders } from '../photos/decoders.ts'
import { createPhotoLinks } from '../photos/links.ts'
import { album, domain, newAlbumForEachTest } from '../testing/domain-album.ts'
import { insertIndexedPhotos } from '../testing/indexed-photos.ts'
import { surelyFound } from '../testing/surely-found.ts'
import { searchAlbum } from './search-album.ts'

/** The beginning of a JPEG. */
const SELFIE = Buffer.from([0xff, 0xd8, 0xff, 0xe0])

newAlbumForEachTest()

async function searchWith(
  { id }: Album,
  photoIds: string[],
  { db = domain.db, ...page }: { db?: Db; limit?: number; offset?: number } = {},
) {
  const faces: Partial<FaceIndex> = {
    search: async () =>
      surelyFound([[id, photoIds.map((photoId) => ({ faceId: photoId, photoId, similarity: 90 }))]]),
  }
  const decoders: Partial<Decoders> = { selfie: async () => SELFIE }
  const deps = {
    ...domain,
    db,
    links: createPhotoLinks(domain),
    faces: faces as FaceIndex,
    decoders: decoders as Decoders,
    threshold: 80,
  }
  const query = { sessionId: 'a session', person: { pictures: [SELFIE] }, ...page }
  return await searchAlbum(deps, album, query, 'https://inframe.example')
}

test('of photos on other pages only the ids are read, and the pages have all that are still there', async () => {
  const ids = await insertIndexedPhotos(domain.db, album.id, 50)
  const [gone, there] = [ids.slice(5, 8), ids.toSpliced(5, 3)]
  await domain.db.deleteFrom('photos').where('id', 'in', gone).execute()
  let rows = 0
  const db = domain.db.withPlugin({
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      rows += result.rows.filter((row) => 'filename' in row).length
      return result
    },
  })
  const { photos, totalMatches } = await searchWith(album, ids, { db, limit: 20 })
  expect([photos.length, totalMatches, rows]).toEqual([20, 47, 20])
  const further = await Promise.all([20, 40].map((offset) => searchWith(album, ids, { limit: 20, offset })))
  const shown = [...photos, ...further.flatMap((page) => page.photos)].map(({ url }) => url.split('/').at(-2))
  expect(shown.toSorted()).toEqual(there.toSorted())
})
