import { beforeEach, describe, expect, test } from 'vitest'
import { COMMAND_LINE } from '../audit/audit-log.ts'
import { AppError } from '../errors.ts'
import { removeFaces } from '../jobs/removals.ts'
import type { FoundFaces } from '../photos/index-faces.ts'
import { findFacesOfPhoto } from '../photos/index-faces.ts'
import { countIndexed, skippedFiles } from '../photos/owner-queries.ts'
import { imageHash } from '../testing/rekognition/recogniser.ts'
import {
  addPhoto,
  album,
  changeTo,
  clearAll,
  counters,
  deps,
  domain,
  EACH_IN_ITS_PHOTO,
  engines,
  facesIn,
  found,
  indexAlbumForEachTest,
  indexOne,
  indexWaiting,
  isUnavailable,
  persons,
  photos,
  pictures,
  reindexIn,
  rows,
  services,
} from '../testing/two-engines.ts'
import { progressOf } from '../uploads/progress.ts'
import { findAlbumWithProgress } from '../uploads/queries.ts'
import { settleIndexed } from '../uploads/settle.ts'
import { coverageOf } from './coverage.ts'
import { eraseAlbum } from './erase.ts'
import { findAlbum } from './queries.ts'
import { otherEngineWarning } from './reindex.ts'

indexAlbumForEachTest()

const NOTHING_FOUND = [[], [], [], []]
const NOTHING_REMAINS = { rowsRemaining: 0, filesRemaining: 0, facesRemaining: 0 }
const COMPLETE = {
  photosIndexedToRekognition: 4,
  isIndexingToRekognition: false,
  isCompleted: true,
  isOfAnotherEngine: false,
}

const progress = async (engine: 'embedded' | 'rekognition') =>
  progressOf((await findAlbumWithProgress(domain.db, { id: album.id }))!, engine)
const current = async () => (await findAlbum(domain.db, album))!

describe('an album of another engine than the configured one', () => {
  test('finds nobody, says so, and is named', async () => {
    expect(await found()).toEqual(NOTHING_FOUND)
    expect(await progress('embedded')).toMatchObject(COMPLETE)
    expect(await progress('rekognition')).toMatchObject({
      photosIndexedToRekognition: 0,
      isIndexingToRekognition: true,
      isCompleted: false,
      isOfAnotherEngine: true,
    })
    expect(await otherEngineWarning(domain.db, 'rekognition')).toContain(`Nobody is found in ${album.slug}:`)
    expect(await otherEngineWarning(domain.db, 'embedded')).toBeUndefined()
  })

  test('lets its new photos wait until it is indexed again, or the setting is changed back', async () => {
    const id = await addPhoto()
    await indexOne(id, 'rekognition')
    expect((await rows()).at(-1)).toMatchObject({ state: 'stored', engine: null })
    const [later] = await domain.jobs.boss.findJobs('index-photos', { data: { photoId: id } })
    expect(later).toBeDefined()
    await indexWaiting('embedded')
    expect((await rows()).at(-1)).toMatchObject({ state: 'indexed', engine: 'embedded' })
  })
})

describe('indexing an album again in another engine', () => {
  test('lets searches find each photo as soon as it is indexed, and removes all faces from the engine before', async () => {
    const before = await counters()
    const letters = (await domain.waiting('send-letter')).length
    await changeTo('rekognition')
    expect(await progress('rekognition')).toMatchObject({
      photosIndexedToRekognition: 0,
      isIndexingToRekognition: true,
      isCompleted: false,
      isOfAnotherEngine: false,
    })
    expect(await countIndexed(domain.db, await current()), 'photos that may be browsed').toBe(4)
    await indexOne(photos[0]!, 'rekognition')
    expect(await found()).toEqual([[0], [], [], []])
    expect(await coverageOf(domain.db, await current())).toMatchObject({ photosSearchable: 1 })
    for (let times = 0; times < 2; times++) await indexWaiting('rekognition')
    expect(await found()).toEqual(EACH_IN_ITS_PHOTO)
    expect(await counters()).toEqual(before)
    expect(await progress('rekognition')).toMatchObject(COMPLETE)
    for (let times = 0; times < 2; times++) await clearAll('rekognition')
    expect([await facesIn('embedded'), await facesIn('rekognition')]).toEqual([0, 4])
    expect((await current()).engines_to_clear).toEqual([])
    expect(await domain.waiting('send-letter'), 'no letter is sent').toHaveLength(letters)
  })

  test('goes back and forth, but not while faces are still being removed there', async () => {
    await changeTo('rekognition')
    await expect(changeTo('embedded')).rejects.toMatchObject({ code: 'CONFLICT' })
    await clearAll('rekognition')
    await reindexIn('embedded')
    expect(await found(deps('embedded'))).toEqual(EACH_IN_ITS_PHOTO)
    expect([await facesIn('embedded'), await facesIn('rekognition')]).toEqual([4, 0])
  })

  test('takes no faces from a process that still has the engine before, and leaves none of it there', async () => {
    const id = await addPhoto()
    const late = (await findFacesOfPhoto(deps('embedded'), id, { isRepeat: false })) as FoundFaces
    await reindexIn('rekognition')
    await expect(settleIndexed(domain, late)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    const { createCollection } = engines.embedded
    engines.embedded.createCollection = async (albumId) => {
      await createCollection(albumId)
      await reindexIn('rekognition')
    }
    await domain.db.updateTable('albums').set({ engine: 'embedded' }).execute()
    await indexOne(photos[0]!, 'embedded', { again: true })
    expect(services[0]!.count('IndexFaces'), 'four photos and the late one').toBe(5)
    expect(await facesIn('embedded')).toBe(0)
  })

  test('removes the faces from the engine before as soon as that is available', async () => {
    await changeTo('rekognition')
    isUnavailable.embedded = true
    await expect(clearAll('rekognition')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    await indexWaiting('rekognition')
    expect(await found()).toEqual(EACH_IN_ITS_PHOTO)
    isUnavailable.embedded = false
    await clearAll('rekognition')
    expect(await facesIn('embedded')).toBe(0)
  })

  test('gives up a photo that the new engine cannot index, and the owner learns the reason', async () => {
    await domain.db.updateTable('photos').set({ state: 'hidden' }).where('id', '=', photos[1]!).execute()
    engines.rekognition.indexPhoto = async () => {
      throw new AppError('UNPROCESSABLE_CONTENT', 'This picture is too small')
    }
    await changeTo('rekognition')
    for (const photo of photos.slice(0, 2)) await indexOne(photo, 'rekognition')
    const state = (await rows()).map(({ state }) => state)
    expect(state).toEqual(['given_up', 'hidden', 'indexed', 'indexed'])
    expect(await counters()).toMatchObject({ photos_settled: 2, faces_found: 2, rows: 2 })
    expect(await coverageOf(domain.db, await current())).toMatchObject({
      ...{ photosStored: 4, photosSearchable: 0, photosHidden: 1, photosGivenUp: 1, photosWaiting: 2 },
    })
    expect(await skippedFiles(domain.db, album.id)).toMatchObject([
      { filename: '1.jpg', reason: 'This picture is too small' },
    ])
  })
})

describe('erasing an album', () => {
  test('that was indexed by another engine removes its faces there', async () => {
    expect(await eraseAlbum(deps('rekognition'), album, COMMAND_LINE)).toEqual(NOTHING_REMAINS)
    expect(await facesIn('embedded')).toBe(0)
  })

  test('halfway to another engine leaves no face in either', async () => {
    await changeTo('rekognition')
    await indexOne(photos[0]!, 'rekognition')
    // The album is erased after the engine has indexed the photo, and before its faces are recorded.
    const index = engines.rekognition.indexPhoto
    engines.rekognition.indexPhoto = async (...args) => {
      const answer = await index(...args)
      expect(await eraseAlbum(deps('rekognition'), album, COMMAND_LINE)).toEqual(NOTHING_REMAINS)
      return answer
    }
    await indexOne(photos[1]!, 'rekognition')
    await indexOne(photos[2]!, 'rekognition')
    await clearAll('rekognition')
    expect([await facesIn('embedded'), await facesIn('rekognition')]).toEqual([0, 0])
  })

  test('counts all its faces as remaining while an engine that may have them is unavailable', async () => {
    isUnavailable.embedded = true
    const remains = await eraseAlbum(deps('rekognition'), album, COMMAND_LINE)
    expect(remains).toEqual({ rowsRemaining: 0, filesRemaining: 0, facesRemaining: 4 })
  })
})

describe('indexing an album again in the same engine', () => {
  beforeEach(async () => {
    await engines.embedded.removePhotos(album.id, [photos[0]!])
  })

  test('finds its faces again, and the others stay searchable', async () => {
    const before = await counters()
    expect(await found(deps('embedded'))).toEqual([[], [1], [2], [3]])
    expect(await changeTo('embedded')).toBe(4)
    expect(await found(deps('embedded'))).toEqual([[], [1], [2], [3]])
    await indexWaiting('embedded')
    expect(await found(deps('embedded'))).toEqual(EACH_IN_ITS_PHOTO)
    expect(await counters()).toEqual(before)
    expect(await facesIn('embedded')).toBe(4)
  })

  test('removes the faces that the engine does not find again', async () => {
    persons.set(imageHash(pictures[1]!), [])
    const index = engines.embedded.indexPhoto
    engines.embedded.indexPhoto = async (...args) =>
      args[1] === photos[1] ? { faces: [], unindexed: [] } : await index(...args)
    await reindexIn('embedded')
    for (const job of await domain.waiting('remove-faces'))
      await removeFaces.run(deps('embedded'), job, { attempt: 1 })
    expect(await facesIn('embedded')).toBe(3)
  })

  test('tries photos again that were given up, and lets others keep their faces that fail now', async () => {
    const index = engines.embedded.indexPhoto
    const id = await addPhoto()
    engines.embedded.indexPhoto = async () => {
      throw new AppError('UNPROCESSABLE_CONTENT', 'Unreadable')
    }
    await indexOne(id, 'embedded')
    expect((await rows()).at(-1)).toMatchObject({ state: 'given_up' })
    await changeTo('embedded')
    await indexOne(photos[1]!, 'embedded', { again: true })
    expect((await rows())[1]).toMatchObject({ state: 'indexed', face_count: 1, given_up_reason: null })
    engines.embedded.indexPhoto = index
    await indexWaiting('embedded')
    expect((await rows()).at(-1)).toMatchObject({ state: 'indexed', given_up_reason: null })
    expect(await counters()).toMatchObject({ photos_stored: 5, photos_settled: 5, faces_found: 5 })
  })
})
