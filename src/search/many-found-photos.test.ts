import { expect, test } from 'vitest'
import type { Db } from '../database/client.ts'
import type { Album } from '../database/schema.ts'
import type { FaceIndex } from '../faces/face-index.ts'
import type { Decoders } from '../photos/decoders.ts'
import { createPhotoLinks, type PhotoLinks } from '../photos/links.ts'
import { album, domain, newAlbumForEachTest } from '../testing/domain-album.ts'
import { insertIndexedPhotos } from '../testing/indexed-photos.ts'
import { insertMatchedSubmission } from '../testing/matched-submission.ts'
import { surelyFound } from '../testing/surely-found.ts'
import { searchAlbum } from './search-album.ts'
import { submissionPhotos } from './submission-results.ts'

const PHOTOS = 400
/** The beginning of a JPEG. */
const SELFIE = Buffer.from([0xff, 0xd8, 0xff, 0xe0])

newAlbumForEachTest()

/** @returns how many photos were signed in each turn of the thread */
async function signedInTurns(give: (links: PhotoLinks) => Promise<{ photos: unknown[] }>): Promise<number[]> {
  const links = createPhotoLinks(domain)
  const turns: number[] = []
  let isNewTurn = true
  const { photos } = await give({
    ...links,
    sign(...args) {
      if (isNewTurn) {
        turns.push(0)
        setImmediate(() => {
          isNewTurn = true
        })
      }
      isNewTurn = false
      turns.push(turns.pop()! + 1)
      return links.sign(...args)
    },
  })
  expect(photos).toHaveLength(PHOTOS)
  return turns
}

async function searchWith(
  links: PhotoLinks,
  { id }: Album,
  photoIds: string[],
  { db = domain.db, limit }: { db?: Db; limit?: number } = {},
) {
  const faces: Partial<FaceIndex> = {
    search: async () =>
      surelyFound([[id, photoIds.map((photoId) => ({ faceId: photoId, photoId, similarity: 90 }))]]),
  }
  const decoders: Partial<Decoders> = { selfie: async () => SELFIE }
  const deps = {
    ...domain,
    db,
    links,
    faces: faces as FaceIndex,
    decoders: decoders as Decoders,
    threshold: 80,
  }
  const query = { sessionId: 'a session', person: { pictures: [SELFIE] }, limit }
  return await searchAlbum(deps, album, query, 'https://inframe.example')
}

test('others are answered while the addresses of many photos are signed', async () => {
  const ids = await insertIndexedPhotos(domain.db, album.id, PHOTOS)
  const found = await signedInTurns((links) => searchWith(links, album, ids))
  expect(Math.max(...found)).toBe(100)

  const submission = await insertMatchedSubmission(
    domain.db,
    { albumId: album.id, passwordVersion: 1 },
    ids.map((photoId) => ({ photoId, similarity: 90 })),
  )
  const submitted = await signedInTurns((links) =>
    submissionPhotos({ ...domain, links }, { id: submission }, 'https://inframe.example'),
  )
  expect(Math.max(...submitted)).toBe(100)
})
