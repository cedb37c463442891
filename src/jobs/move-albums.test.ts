import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { coverageOf } from '../albums/coverage.ts'
import { eraseAlbum } from '../albums/erase.ts'
import { moveAlbums, reindexAlbum, TRIES_FOR_A_LOST_ENGINE } from '../albums/move.ts'
import { countPhotosToMove, setChosenEngine } from '../albums/move-queries.ts'
import { settleIndexed } from '../albums/settle.ts'
import { uploadBatch } from '../albums/upload.ts'
import type { Album, EngineName } from '../database/schema.ts'
import { AppError } from '../errors.ts'
import type { FaceIndex } from '../faces/face-index.ts'
import { createFormerFaces } from '../faces/former-faces.ts'
import { createRekognitionFaceIndex } from '../faces/rekognition/rekognition-face-index.ts'
import { createLog } from '../log.ts'
import { findFacesOfPhoto } from '../photos/index-faces.ts'
import { photosLike } from '../search/search-album.ts'
import { inMemory } from '../testing/photo-source.ts'
import { DIRECT } from '../testing/rekognition/direct-governor.ts'
import { imageHash } from '../testing/rekognition/recogniser.ts'
import { type StandIn, startStandInRekognition } from '../testing/rekognition/stand-in.ts'
import { faceOf, numberedPicture } from '../testing/rekognition/table-faces.ts'
import { createRules, type Rules } from '../testing/rules.ts'
import type { JobDeps } from './define-queue.ts'
import { eraseAlbum as eraseJob } from './erase-album.ts'
import { indexPhotos } from './index-photos.ts'
import { reindexPhotos } from './reindex-photos.ts'
import { removeCollection } from './remove-collection.ts'

const PHOTOS = [1, 2, 3, 4]

let rules: Rules
let pictures: Buffer[]
/** Which persons a picture shows. */
let persons: Map<string, number[]>
const services: StandIn[] = []
/** Two real indexes with the same cheap faces; one of them goes by the name of the embedded engine. */
let engines: Record<EngineName, FaceIndex>
let isAway: Record<EngineName, boolean>
let album: Album
let photos: string[]
let warnings: Record<string, unknown>[]

beforeAll(async () => {
  rules = await createRules()
  pictures = await Promise.all(PHOTOS.map((number) => numberedPicture(number)))
})
afterAll(() => rules?.close())
beforeEach(async () => {
  warnings = []
  isAway = { embedded: false, rekognition: false }
  persons = new Map(pictures.map((picture, place) => [imageHash(picture), [place]]))
  engines = { embedded: await startEngine('embedded'), rekognition: await startEngine('rekognition') }
  album = await rules.newAlbum()
  await upload(pictures)
  await setChosenEngine(rules.db, 'embedded')
  for (const { id } of await rows()) await indexPhotos.run(deps('embedded'), { photoId: id }, { attempt: 1 })
  photos = (await rows()).map((photo) => photo.id)
})
afterEach(async () => {
  await rules.db.deleteFrom('albums').execute()
  for (const queue of ['embedded', 'rekognition'] as const) await rules.jobs.dropReindexing(queue)
  await rules.queue.boss.deleteQueuedJobs('remove-collection')
  for (const engine of Object.values(engines)) await engine.close()
  for (const service of services.splice(0)) await service.close()
})

async function startEngine(engine: EngineName): Promise<FaceIndex> {
  const service = await startStandInRekognition({
    recognise: async (image) => (persons.get(imageHash(image)) ?? []).map((person) => faceOf(person)),
  })
  services.push(service)
  const { endpoint, region, credentials } = service
  const log = createLog('silent')
  const index = await createRekognitionFaceIndex({
    client: { endpoint, region, credentials },
    governor: DIRECT,
    log,
  })
  return { ...index, engine }
}

async function upload(files: Buffer[]): Promise<void> {
  const staged = await Promise.all(files.map((bytes, place) => rules.stage(bytes, `${place + 1}.jpg`)))
  await uploadBatch(rules, album.id, { totalIntendedPhotos: files.length }, staged)
}

/** What a process works with that is configured for this engine. */
function deps(engine: EngineName): JobDeps {
  const former = engine === 'embedded' ? 'rekognition' : 'embedded'
  const log = createLog('warn', { write: (line) => void warnings.push(JSON.parse(line)) })
  const formerFaces = createFormerFaces({
    engine: former,
    make: async () => {
      if (isAway[former]) throw new Error('No credentials')
      return engines[former]
    },
    log,
  })
  return { ...rules, faces: engines[engine], formerFaces, log, threshold: 80 } as Partial<JobDeps> as JobDeps
}

const rows = () =>
  rules.db.selectFrom('photos').selectAll().where('album_id', '=', album.id).orderBy('filename').execute()

const move = (photoId: string, to: EngineName = 'rekognition', attempt = 1) =>
  reindexPhotos[to].run(deps(to), { photoId }, { attempt })

const leave = (engine: EngineName, process: EngineName, attempt = 1) =>
  removeCollection.run(deps(process), { albumId: album.id, engine }, { attempt })

/** The photos that each person is found in, by their place. */
async function found(process = deps('rekognition')): Promise<number[][]> {
  const finds = pictures.map((picture) => photosLike(process, album.id, picture))
  return (await Promise.all(finds)).map((matches) => [...matches.keys()].map((id) => photos.indexOf(id)))
}
const EACH_IN_ITS_PHOTO = [[0], [1], [2], [3]]

async function counters() {
  const { photos_stored, photos_settled, faces_found, completed_at } = await rules.db
    .selectFrom('albums')
    .selectAll()
    .where('id', '=', album.id)
    .executeTakeFirstOrThrow()
  const faces = await rules.db.selectFrom('faces').select('id').where('album_id', '=', album.id).execute()
  return { photos_stored, photos_settled, faces_found, rows: faces.length, isReady: completed_at !== null }
}

const facesIn = (engine: EngineName) => engines[engine].countFaces(album.id)
const nothingRemains = { rowsRemaining: 0, filesRemaining: 0, facesRemaining: 0 }

describe('an album that moves to another engine', () => {
  test('is searchable at every moment, and ends with its former collection removed', async () => {
    const before = await counters()
    expect(before).toEqual({ photos_stored: 4, photos_settled: 4, faces_found: 4, rows: 4, isReady: true })
    const letters = (await rules.waiting('send-letter')).length
    await setChosenEngine(rules.db, 'rekognition')
    for (const photo of photos) {
      expect(await found()).toEqual(EACH_IN_ITS_PHOTO)
      await move(photo)
      await leave('embedded', 'rekognition')
    }
    expect(await found()).toEqual(EACH_IN_ITS_PHOTO)
    expect(await counters()).toEqual(before)
    expect(await rows()).toMatchObject(PHOTOS.map(() => ({ state: 'indexed', engine: 'rekognition' })))
    expect([await facesIn('embedded'), await facesIn('rekognition')]).toEqual([0, 4])
    expect(warnings).toEqual([])
    expect(await rules.waiting('send-letter'), 'moving is no news for the owner').toHaveLength(letters)
  })

  test('has a job for each photo, sent once, to the engine that the last worker was started with', async () => {
    await setChosenEngine(rules.db, 'rekognition')
    await moveAlbums(deps('rekognition'))
    await moveAlbums(deps('embedded'))
    const jobs = await rules.waiting('reindex-photos-rekognition')
    expect(jobs).toHaveLength(4)
    expect(jobs).toEqual(expect.arrayContaining(photos.map((photoId) => ({ photoId }))))
    expect(await rules.waiting('reindex-photos-embedded')).toEqual([])
    expect(await countPhotosToMove(rules.db, 'rekognition', album.id)).toEqual({ photos: 4, albums: 1 })
  })

  test('asks for the removal of its former collection once, when its last photo has moved', async () => {
    await setChosenEngine(rules.db, 'rekognition')
    for (const photo of photos) {
      await moveAlbums(deps('rekognition'))
      expect(await rules.waiting('remove-collection')).toEqual([])
      await move(photo)
    }
    await moveAlbums(deps('rekognition'))
    await moveAlbums(deps('rekognition'))
    expect(await rules.waiting('remove-collection')).toEqual([{ albumId: album.id, engine: 'embedded' }])
  })

  test('counts a photo once whose job was cut off before its faces were recorded, or runs again', async () => {
    const before = await counters()
    await engines.rekognition.createCollection(album.id)
    await engines.rekognition.indexPhoto(album.id, photos[0]!, inMemory(pictures[0]!))
    await move(photos[0]!, 'rekognition', 2)
    await move(photos[0]!, 'rekognition', 3)
    await Promise.all([move(photos[1]!), move(photos[1]!)])
    expect(await counters()).toEqual(before)
    expect(await facesIn('rekognition')).toBe(2)
  })

  test('counts the faces that the new engine finds', async () => {
    persons.set(imageHash(pictures[0]!), [0, 7])
    persons.set(imageHash(pictures[1]!), [])
    for (const photo of photos) await move(photo)
    expect(await counters()).toMatchObject({ photos_settled: 4, faces_found: 4, rows: 4 })
    expect((await rows()).map((photo) => photo.face_count)).toEqual([2, 0, 1, 1])
  })

  test('takes new photos into the new engine', async () => {
    const picture = await numberedPicture(99)
    persons.set(imageHash(picture), [9])
    await uploadBatch(rules, album.id, {}, [await rules.stage(picture, '9.jpg')])
    const fresh = (await rows()).at(-1)!
    await indexPhotos.run(deps('rekognition'), { photoId: fresh.id }, { attempt: 1 })
    expect((await rows()).at(-1)).toMatchObject({ state: 'indexed', engine: 'rekognition' })
    expect([...(await photosLike(deps('rekognition'), album.id, picture)).keys()]).toEqual([fresh.id])
    expect(await found()).toEqual(EACH_IN_ITS_PHOTO)
  })

  test('turned back half-way is where it was, and the collection begun is removed', async () => {
    const before = await counters()
    await setChosenEngine(rules.db, 'rekognition')
    await moveAlbums(deps('rekognition'))
    for (const photo of photos.slice(0, 2)) await move(photo)
    await setChosenEngine(rules.db, 'embedded')
    await moveAlbums(deps('embedded'))
    const back = (await rules.waiting('reindex-photos-embedded')) as { photoId: string }[]
    expect(back.map((job) => photos.indexOf(job.photoId)).sort()).toEqual([0, 1])
    expect(await rules.waiting('reindex-photos-rekognition')).toEqual([])
    for (const { photoId } of back) {
      expect(await found(deps('embedded'))).toEqual(EACH_IN_ITS_PHOTO)
      await move(photoId, 'embedded')
    }
    await leave('rekognition', 'embedded')
    await leave('embedded', 'embedded')
    expect(await found(deps('embedded'))).toEqual(EACH_IN_ITS_PHOTO)
    expect(await counters()).toEqual(before)
    expect([await facesIn('embedded'), await facesIn('rekognition')]).toEqual([4, 0])
  })

  test('finds everything in a process of the former configuration, too', async () => {
    for (const photo of photos.slice(0, 2)) await move(photo)
    expect(await found(deps('embedded'))).toEqual(EACH_IN_ITS_PHOTO)
  })

  test('loses no photo that is put into a collection while that is removed', async () => {
    const picture = await numberedPicture(98)
    persons.set(imageHash(picture), [8])
    for (const photo of photos) await move(photo)
    await uploadBatch(rules, album.id, {}, [await rules.stage(picture, '9.jpg')])
    const { id } = (await rows()).at(-1)!
    // By a process of the former configuration.
    const late = (await findFacesOfPhoto(deps('embedded'), id, false))!
    await setChosenEngine(rules.db, 'rekognition')
    await leave('embedded', 'rekognition')
    await expect(settleIndexed(rules, late)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    expect((await rows()).at(-1)).toMatchObject({ state: 'stored' })

    await indexPhotos.run(deps('embedded'), { photoId: id }, { attempt: 2 })
    await leave('embedded', 'rekognition')
    expect(await facesIn('embedded'), 'held by that photo').toBe(1)
    expect([...(await photosLike(deps('rekognition'), album.id, picture)).keys()]).toEqual([id])
  })

  test('has a row for a collection that is made again right after its removal', async () => {
    const picture = await numberedPicture(98)
    persons.set(imageHash(picture), [8])
    for (const photo of photos) await move(photo)
    await uploadBatch(rules, album.id, {}, [await rules.stage(picture, '9.jpg')])
    const { id } = (await rows()).at(-1)!
    const index = engines.embedded.indexPhoto
    engines.embedded.indexPhoto = async (...args) => {
      engines.embedded.indexPhoto = index
      await leave('embedded', 'rekognition')
      return await index(...args)
    }
    await indexPhotos.run(deps('embedded'), { photoId: id }, { attempt: 1 })
    expect((await rows()).at(-1)).toMatchObject({ state: 'indexed', engine: 'embedded' })
    expect(await eraseAlbum(deps('rekognition'), album.id)).toEqual(nothingRemains)
    expect(await facesIn('embedded')).toBe(0)
  })

  test('puts nothing into a collection whose removal was cut off, until that is done', async () => {
    for (const photo of photos) await move(photo)
    await setChosenEngine(rules.db, 'rekognition')
    isAway.embedded = true
    await expect(leave('embedded', 'rekognition')).rejects.toThrow('cannot be had just now')
    await setChosenEngine(rules.db, 'embedded')
    const calls = services[0]!.count('IndexFaces')
    await expect(move(photos[0]!, 'embedded')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    expect(services[0]!.count('IndexFaces')).toBe(calls)
    expect(await found(deps('embedded'))).toEqual(EACH_IN_ITS_PHOTO)
    isAway.embedded = false
    await leave('embedded', 'embedded')
    await move(photos[0]!, 'embedded')
    expect(await facesIn('embedded')).toBe(1)
    expect(await found(deps('embedded'))).toEqual(EACH_IN_ITS_PHOTO)
  })
})

describe('a photo that the new engine refuses', () => {
  test('keeps its faces, holds the former collection, and is told to the owner', async () => {
    await setChosenEngine(rules.db, 'rekognition')
    const [refused, ...others] = photos as [string, ...string[]]
    engines.rekognition.indexPhoto = async () => {
      throw new AppError('UNPROCESSABLE_CONTENT', 'This picture is too small')
    }
    await move(refused)
    engines.rekognition.indexPhoto = async (_album, photoId) => {
      throw new AppError('INTERNAL_SERVER_ERROR', `The engine died over ${photoId}`)
    }
    for (let attempt = 1; attempt < 5; attempt++)
      await expect(move(others[0]!, 'rekognition', attempt)).rejects.toThrow('The engine died')
    await move(others[0]!, 'rekognition', 5)
    expect(await rows()).toMatchObject(PHOTOS.map(() => ({ state: 'indexed', engine: 'embedded' })))

    const current = await rules.db
      .selectFrom('albums')
      .selectAll()
      .where('id', '=', album.id)
      .executeTakeFirstOrThrow()
    expect(await coverageOf(rules.db, current)).toMatchObject({
      photosSearchable: 4,
      skippedFiles: [],
      photosPartlySearchable: [
        { filename: '1.jpg', reason: expect.stringContaining('This picture is too small') },
        { filename: '2.jpg', reason: expect.stringContaining('The photo could not be searched for faces') },
      ],
    })
    await moveAlbums(deps('rekognition'))
    expect(await rules.waiting('reindex-photos-rekognition')).toHaveLength(2)
    await leave('embedded', 'rekognition')
    expect(await found()).toEqual(EACH_IN_ITS_PHOTO)
  })

  test('waits for as long as the engine is away', async () => {
    services[1]!.fault = () => 'break'
    await expect(move(photos[0]!, 'rekognition', 500)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    services[1]!.fault = () => undefined
    await move(photos[0]!, 'rekognition', 501)
    expect((await rows())[0]).toMatchObject({ engine: 'rekognition', refused_by: null })
  })
})

describe('a former engine that cannot be had', () => {
  beforeEach(async () => {
    isAway.embedded = true
    await setChosenEngine(rules.db, 'rekognition')
    for (const photo of photos.slice(0, 2)) await move(photo)
  })

  test('leaves searches with what has moved, and one warning', async () => {
    const process = deps('rekognition')
    expect(await found(process)).toEqual([[0], [1], [], []])
    expect(await found(process)).toEqual([[0], [1], [], []])
    expect(warnings).toHaveLength(1)
    expect(warnings[0]!.msg).toContain('cannot be had')
    for (const photo of photos.slice(2)) await move(photo)
    expect(await found(process)).toEqual(EACH_IN_ITS_PHOTO)
  })

  test('is given up after a day, with a warning that names what is left', async () => {
    for (const photo of photos.slice(2)) await move(photo)
    await expect(leave('embedded', 'rekognition')).rejects.toThrow('cannot be had just now')
    await leave('embedded', 'rekognition', TRIES_FOR_A_LOST_ENGINE)
    expect(warnings.at(-1)!.msg).toContain(`Delete by hand: the rows of album ${album.id}`)
    warnings = []
    expect(await found()).toEqual(EACH_IN_ITS_PHOTO)
    expect(warnings).toEqual([])
  })

  test('is not forgotten when the album is erased', async () => {
    expect(await eraseAlbum(deps('rekognition'), album.id)).toEqual({ ...nothingRemains, facesRemaining: 4 })
    const [payload] = (await rules.waiting('erase-album')).filter(
      (job) => (job as { albumId: string }).albumId === album.id,
    )
    const run = (attempt: number) => eraseJob.run(deps('rekognition'), payload, { attempt })
    await expect(run(1)).rejects.toThrow('cannot be had just now')
    isAway.embedded = false
    await run(2)
    expect([await facesIn('embedded'), await facesIn('rekognition')]).toEqual([0, 0])
    isAway.embedded = true
    warnings = []
    await run(TRIES_FOR_A_LOST_ENGINE)
    expect(warnings.at(-1)!.msg).toContain('Delete by hand')
  })
})

test('an album erased half-way leaves no face in either engine', async () => {
  for (const photo of photos.slice(0, 2)) await move(photo)
  // Underway: the engine has the faces, and the album goes before they are recorded.
  const index = engines.rekognition.indexPhoto
  engines.rekognition.indexPhoto = async (...args) => {
    const answer = await index(...args)
    expect(await eraseAlbum(deps('rekognition'), album.id)).toEqual(nothingRemains)
    return answer
  }
  await move(photos[2]!)
  await move(photos[3]!)
  expect([await facesIn('embedded'), await facesIn('rekognition')]).toEqual([0, 0])
})

describe('indexing an album anew', () => {
  test('finds its faces again in the engine that it is in, searchable meanwhile', async () => {
    const before = await counters()
    await engines.embedded.removePhotos(album.id, [photos[0]!])
    await setChosenEngine(rules.db, 'embedded')
    expect(await reindexAlbum(rules, album.id)).toBe(4)
    expect(await rules.waiting('move-albums')).toHaveLength(1)
    await moveAlbums(deps('embedded'))
    expect(await rules.waiting('reindex-photos-embedded')).toHaveLength(4)
    expect(await found(deps('embedded'))).toEqual([[], [1], [2], [3]])
    for (const photo of photos) {
      await move(photo, 'embedded')
      expect(await found(deps('embedded'))).toEqual(EACH_IN_ITS_PHOTO)
    }
    expect(await counters()).toEqual(before)
    expect(await facesIn('embedded')).toBe(4)
    expect(await countPhotosToMove(rules.db, 'embedded', album.id)).toEqual({ photos: 0, albums: 0 })
  })

  test('gives photos that were given up another try', async () => {
    await upload([...pictures, await numberedPicture(97)])
    const last = (await rows()).at(-1)!
    const index = engines.embedded.indexPhoto
    engines.embedded.indexPhoto = async () => {
      throw new AppError('UNPROCESSABLE_CONTENT', 'Unreadable')
    }
    await indexPhotos.run(deps('embedded'), { photoId: last.id }, { attempt: 1 })
    expect((await rows()).at(-1)).toMatchObject({ state: 'given_up', refused_by: 'embedded' })
    await moveAlbums(deps('embedded'))
    expect(await rules.waiting('reindex-photos-embedded')).toEqual([])

    engines.embedded.indexPhoto = index
    await reindexAlbum(rules, album.id)
    await move(last.id, 'embedded')
    expect((await rows()).at(-1)).toMatchObject({ state: 'indexed', given_up_reason: null })
    expect(await counters()).toMatchObject({ photos_stored: 5, photos_settled: 5, faces_found: 4 })
  })
})
