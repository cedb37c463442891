import { beforeEach, describe, expect, test } from 'vitest'
import type { Album } from '../database/schema.ts'
import { AppError } from '../errors.ts'
import type { FaceIndex, FaceMatch } from '../faces/face-index.ts'
import { createLog } from '../log.ts'
import { insertSubmission } from '../search/queries.ts'
import { eraseSubmission, selfieKey } from '../search/submissions.ts'
import type { FileStorage } from '../storage/file-storage.ts'
import { domainOfFile } from '../testing/domain.ts'
import { faceIndexWith, match, surelyFound } from '../testing/engine-answers.ts'
import { insertIndexedPhotos } from '../testing/indexed-photos.ts'
import { matchSelfie } from './selfies.ts'

const SELFIE = Buffer.from('a selfie')

const domain = await domainOfFile()
let albums: Album[]
let photos: string[][]
let id: string

beforeEach(async () => {
  albums = [await domain.newAlbum(), await domain.newAlbum()]
  photos = [
    await insertIndexedPhotos(domain.db, albums[0]!.id, 3),
    await insertIndexedPhotos(domain.db, albums[1]!.id, 1),
  ]
  id = await domain.db.transaction().execute((trx) =>
    insertSubmission(
      trx,
      albums.map((album) => ({ albumId: album.id, passwordVersion: null, ownerKeyVersion: 1 })),
    ),
  )
  await domain.storage.write(selfieKey(id), SELFIE, 'image/jpeg')
})

type Search = FaceIndex['search']

/** The answer of an engine that found these faces in the first and in the second album. */
const answer = (first: FaceMatch[], second: FaceMatch[] = []) =>
  surelyFound([
    [albums[0]!.id, first],
    [albums[1]!.id, second],
  ])

/** Finds the first two photos of the first album. */
const finding: Search = async () => answer([match(photos[0]![0]!, 91), match(photos[0]![1]!, 97)])

function run(search: Search, attempt = 1, storage: FileStorage = domain.storage): Promise<void> {
  const faces = faceIndexWith({ search })
  const log = createLog('silent')
  const deps = { ...domain, storage, faces, log, threshold: 80 }
  return matchSelfie.run(deps, { submissionId: id }, { attempt })
}

const submission = () =>
  domain.db.selectFrom('submissions').selectAll().where('id', '=', id).executeTakeFirst()

async function matches(): Promise<Record<string, number>> {
  const rows = await domain.db
    .selectFrom('submission_matches')
    .selectAll()
    .where('submission_id', '=', id)
    .execute()
  return Object.fromEntries(rows.map((row) => [row.photo_id, row.similarity]))
}

async function expectProcessed(outcome: string, found: Record<string, number>): Promise<void> {
  expect(await submission()).toMatchObject({ outcome, selfie_deleted_at: expect.any(Date) })
  expect(await matches()).toEqual(found)
  expect(await domain.storage.exists(selfieKey(id))).toBe(false)
}

describe('the job that matches a selfie', () => {
  test('records the matches of every album, which it asks for in one call, and deletes the selfie', async () => {
    const seen: unknown[] = []
    await run(async (albumIds, { selfies }, threshold) => {
      seen.push([albumIds.toSorted(), selfies.map(({ image }) => image.toString()), threshold])
      return answer([match(photos[0]![0]!, 91), match(photos[0]![1]!, 97)], [match(photos[1]![0]!, 88)])
    })
    expect(seen).toEqual([[albums.map((album) => album.id).sort(), ['a selfie'], 80]])
    const [[first, second], [other]] = photos as [string[], string[]]
    await expectProcessed('matched', { [first!]: 91, [second!]: 97, [other!]: 88 })
  })

  test('counts a photo with several similar faces once, with the best similarity', async () => {
    const [photo] = photos[0]!
    await run(async () => answer([match(photo!, 85), match(photo!, 99), match(photo!, 90)]))
    await expectProcessed('matched', { [photo!]: 99 })
  })

  test('gives the same result when it runs again because the selfie could not be deleted', async () => {
    const away = new AppError('SERVICE_UNAVAILABLE', 'The storage is unavailable')
    const storage = { ...domain.storage, delete: () => Promise.reject(away) }
    await expect(run(finding, 1, storage)).rejects.toBe(away)
    expect(await domain.storage.exists(selfieKey(id))).toBe(true)
    await run(async () => answer([match(photos[0]![2]!, 99)]), 2)
    await expectProcessed('matched', { [photos[0]![0]!]: 91, [photos[0]![1]!]: 97 })
  })

  test('records nothing for a submission that is deleted meanwhile', async () => {
    await run(async (...call) => {
      await eraseSubmission(domain, id)
      return await finding(...call)
    })
    expect(await submission()).toBeUndefined()
    expect(await matches()).toEqual({})
  })

  test('does not match a selfie that was deleted because of its age', async () => {
    await domain.storage.delete(selfieKey(id))
    await run(async () => {
      throw new Error('there is nothing to search with')
    })
    await expectProcessed('expired', {})
  })

  test('leaves out photos that are erased meanwhile', async () => {
    await run(async (...call) => {
      await domain.db.deleteFrom('photos').where('id', '=', photos[0]![0]!).execute()
      return await finding(...call)
    })
    await expectProcessed('matched', { [photos[0]![1]!]: 97 })
  })

  test('tries again while the engine is unavailable, and gives up the selfie after five tries', async () => {
    const away = new AppError('SERVICE_UNAVAILABLE', 'The face engine is currently unavailable')
    const search: Search = () => Promise.reject(away)
    for (let attempt = 1; attempt < 5; attempt++) await expect(run(search, attempt)).rejects.toBe(away)
    expect(await submission()).toMatchObject({ outcome: null, selfie_deleted_at: null })
    expect(await domain.storage.exists(selfieKey(id))).toBe(true)
    await run(search, 5)
    await expectProcessed('expired', {})
  })
})
