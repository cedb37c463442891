import { beforeEach, describe, expect, test } from 'vitest'
import { COMMAND_LINE } from '../audit/audit-log.ts'
import { AppError } from '../errors.ts'
import { removeFaces } from '../jobs/removals.ts'
import type { FoundFaces } from '../photos/index-faces.ts'
import { findFacesOfPhoto } from '../photos/index-faces.ts'
import { countIndexed, skippedFiles } from '../photos/owner-queries.ts'
import { imageHash } from '../testing/rekognition/recogniser.ts'
import * as two from '../testing/two-engines.ts'
import { album, deps, domain, engines, found, photos, rows } from '../testing/two-engines.ts'
import { progressOf } from '../uploads/progress.ts'
import { findAlbumWithProgress } from '../uploads/queries.ts'
import { settleIndexed } from '../uploads/settle.ts'
import { coverageOf } from './coverage.ts'
import { eraseAlbum } from './erase.ts'
import { findAlbum } from './queries.ts'
import { otherEngineWarning } from './reindex.ts'

two.indexAlbumForEachTest()

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
    const id = await two.addPhoto()
    await two.indexOne(id, 'rekognition')
    expect((await rows()).at(-1)).toMatchObject({ state: 'stored', engine: null })
    const [later] = await domain.jobs.boss.findJobs('index-photos', { data: { photoId: id } })
    expect(later).toBeDefined()
    await two.indexWaiting('embedded')
    expect((await rows()).at(-1)).toMatchObject({ state: 'indexed', engine: 'embedded' })
  })
})

describe('indexing an album again in another engine', () => {
  test('lets searches find each photo as soon as it is indexed, and removes all faces from the engine before', async () => {
    const before = await two.counters()
    const letters = (await domain.waiting('send-letter')).length
    await two.changeTo('rekognition')
    expect(await progress('rekognition')).toMatchObject({
      photosIndexedToRekognition: 0,
      isIndexingToRekognition: true,
      isCompleted: false,
      isOfAnotherEngine: false,
    })
    expect(await countIndexed(domain.db, await current()), 'photos that may be browsed').toBe(4)
    await two.indexOne(photos[0]!, 'rekognition')
    expect(await found()).toEqual([[0], [], [], []])
    expect(await coverageOf(domain.db, await current())).toMatchObject({ photosSearchable: 1 })
    for (let times = 0; times < 2; times++) await two.indexWaiting('rekognition')
    expect(await found()).toEqual(two.EACH_IN_ITS_PHOTO)
    expect(await two.counters()).toEqual(before)
    expect(await progress('rekognition')).toMatchObject(COMPLETE)
    for (let times = 0; times < 2; times++) await two.clearAll('rekognition')
    expect([await two.facesIn('embedded'), await two.facesIn('rekognition')]).toEqual([0, 4])
    expect((await current()).engines_to_clear).toEqual([])
    expect(await domain.waiting('send-letter'), 'no letter is sent').toHaveLength(letters)
  })

  test('goes back and forth, but not while faces are still being removed there', async () => {
    await two.changeTo('rekognition')
    await expect(two.changeTo('embedded')).rejects.toMatchObject({ code: 'CONFLICT' })
    await two.clearAll('rekognition')
    await two.reindexIn('embedded')
    expect(await found(deps('embedded'))).toEqual(two.EACH_IN_ITS_PHOTO)
    expect([await two.facesIn('embedded'), await two.facesIn('rekognition')]).toEqual([4, 0])
  })

  test('takes no faces from a process that still has the engine before, and leaves none of it there', async () => {
    const id = await two.addPhoto()
    const late = (await findFacesOfPhoto(deps('embedded'), id, { isRepeat: false })) as FoundFaces
    await two.reindexIn('rekognition')
    await expect(settleIndexed(domain, late)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    const { createCollection } = engines.embedded
    engines.embedded.createCollection = async (albumId) => {
      await createCollection(albumId)
      await two.reindexIn('rekognition')
    }
    await domain.db.updateTable('albums').set({ engine: 'embedded' }).execute()
    await two.indexOne(photos[0]!, 'embedded', { again: true })
    expect(two.services[0]!.count('IndexFaces'), 'four photos and the late one').toBe(5)
    expect(await two.facesIn('embedded')).toBe(0)
  })

  test('removes the faces from the engine before as soon as that is available', async () => {
    await two.changeTo('rekognition')
    two.isUnavailable.embedded = true
    await expect(two.clearAll('rekognition')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    await two.indexWaiting('rekognition')
    expect(await found()).toEqual(two.EACH_IN_ITS_PHOTO)
    two.isUnavailable.embedded = false
    await two.clearAll('rekognition')
    expect(await two.facesIn('embedded')).toBe(0)
  })

  test('gives up a photo that the new engine cannot index, and the owner learns the reason', async () => {
    await domain.db.updateTable('photos').set({ state: 'hidden' }).where('id', '=', photos[1]!).execute()
    engines.rekognition.indexPhoto = async () => {
      throw new AppError('UNPROCESSABLE_CONTENT', 'This picture is too small')
    }
    await two.changeTo('rekognition')
    for (const photo of photos.slice(0, 2)) await two.indexOne(photo, 'rekognition')
    const state = (await rows()).map(({ state }) => state)
    expect(state).toEqual(['given_up', 'hidden', 'indexed', 'indexed'])
    expect(await two.counters()).toMatchObject({ photos_settled: 2, faces_found: 2, rows: 2 })
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
    expect(await two.facesIn('embedded')).toBe(0)
  })

  test('halfway to another engine leaves no face in either', async () => {
    await two.changeTo('rekognition')
    await two.indexOne(photos[0]!, 'rekognition')
    // The album is erased after the engine has indexed the photo, and before its faces are recorded.
    const index = engines.rekognition.indexPhoto
    engines.rekognition.indexPhoto = async (...args) => {
      const answer = await index(...args)
      expect(await eraseAlbum(deps('rekognition'), album, COMMAND_LINE)).toEqual(NOTHING_REMAINS)
      return answer
    }
    await two.indexOne(photos[1]!, 'rekognition')
    await two.indexOne(photos[2]!, 'rekognition')
    await two.clearAll('rekognition')
    expect([await two.facesIn('embedded'), await two.facesIn('rekognition')]).toEqual([0, 0])
  })

  test('counts all its faces as remaining while an engine that may have them is unavailable', async () => {
    two.isUnavailable.embedded = true
    const remains = await eraseAlbum(deps('rekognition'), album, COMMAND_LINE)
    expect(remains).toEqual({ rowsRemaining: 0, filesRemaining: 0, facesRemaining: 4 })
  })
})

describe('indexing an album again in the same engine', () => {
  beforeEach(async () => {
    await engines.embedded.removePhotos(album.id, [photos[0]!])
  })

  test('finds its faces again, and the others stay searchable', async () => {
    const before = await two.counters()
    expect(await found(deps('embedded'))).toEqual([[], [1], [2], [3]])
    expect(await two.changeTo('embedded')).toBe(4)
    expect(await found(deps('embedded'))).toEqual([[], [1], [2], [3]])
    await two.indexWaiting('embedded')
    expect(await found(deps('embedded'))).toEqual(two.EACH_IN_ITS_PHOTO)
    expect(await two.counters()).toEqual(before)
    expect(await two.facesIn('embedded')).toBe(4)
  })

  test('removes the faces that the engine does not find again', async () => {
    two.persons.set(imageHash(two.pictures[1]!), [])
    const index = engines.embedded.indexPhoto
    engines.embedded.indexPhoto = async (...args) =>
      args[1] === photos[1] ? { faces: [], unindexed: [] } : await index(...args)
    await two.reindexIn('embedded')
    for (const job of await domain.waiting('remove-faces'))
      await removeFaces.run(deps('embedded'), job, { attempt: 1 })
    expect(await two.facesIn('embedded')).toBe(3)
  })

  test('tries photos again that were given up, and lets others keep their faces that fail now', async () => {
    const index = engines.embedded.indexPhoto
    const id = await two.addPhoto()
    engines.embedded.indexPhoto = async () => {
      throw new AppError('UNPROCESSABLE_CONTENT', 'Unreadable')
    }
    await two.indexOne(id, 'embedded')
    expect((await rows()).at(-1)).toMatchObject({ state: 'given_up' })
    await two.changeTo('embedded')
    await two.indexOne(photos[1]!, 'embedded', { again: true })
    expect((await rows())[1]).toMatchObject({ state: 'indexed', face_count: 1, given_up_reason: null })
    engines.embedded.indexPhoto = index
    await two.indexWaiting('embedded')
    expect((await rows()).at(-1)).toMatchObject({ state: 'indexed', given_up_reason: null })
    expect(await two.counters()).toMatchObject({ photos_stored: 5, photos_settled: 5, faces_found: 5 })
  })
})
