import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { reindexAlbum } from '../albums/reindex.ts'
import type { AppContext } from '../context.ts'
import type { Album, EngineName } from '../database/schema.ts'
import { serviceUnavailable } from '../faces/errors.ts'
import type { FaceIndex } from '../faces/face-index.ts'
import { indexPhotos } from '../jobs/index-photos.ts'
import { clearEngine } from '../jobs/removals.ts'
import { photosLike } from '../search/find-person.ts'
import { uploadBatch } from '../uploads/accept-batch.ts'
import { createTestDomain, type TestDomain } from './domain.ts'
import { indexOn } from './rekognition/index-on.ts'
import { faceOf, imageHash, numberedPicture } from './rekognition/recogniser.ts'
import { type StandIn, startStandInRekognition } from './rekognition/stand-in.ts'
import { newPicture } from './sample-photos.ts'

const PHOTOS = [1, 2, 3, 4]

/** These belong to the running test; `indexAlbumForEachTest` creates them. */
export let domain: TestDomain
export let pictures: Buffer[]
/** The persons that each picture shows, by the hash of the picture. */
export let persons: Map<string, number[]>
/** The services behind the two engines: first the one named `embedded`, then the one named `rekognition`. */
export let services: StandIn[]
/** Two Rekognition indexes with the same simple faces; one of them is used under the name `embedded`. */
export let engines: Record<EngineName, FaceIndex>
export let isUnavailable: Record<EngineName, boolean>
export let album: Album
/** The ids of the photos, in the order of the pictures. */
export let photos: string[]

/** Creates an album for each test of a file: four photos with one person each, indexed in the embedded engine. */
export function indexAlbumForEachTest(): void {
  beforeAll(async () => {
    domain = await createTestDomain()
    pictures = await Promise.all(PHOTOS.map((number) => numberedPicture(number)))
  })
  afterAll(() => domain?.close())
  beforeEach(async () => {
    services = []
    isUnavailable = { embedded: false, rekognition: false }
    persons = new Map(pictures.map((picture, place) => [imageHash(picture), [place]]))
    engines = { embedded: await startEngine('embedded'), rekognition: await startEngine('rekognition') }
    album = await domain.newAlbum()
    await upload(pictures)
    await indexWaiting('embedded')
    photos = (await rows()).map((photo) => photo.id)
  })
  afterEach(async () => {
    await domain.db.deleteFrom('albums').execute()
    await domain.db.deleteFrom('photos').execute()
    await domain.db.deleteFrom('rate_limits').execute()
    for (const queue of ['index-photos', 'clear-engine', 'remove-faces', 'send-letter'])
      await domain.dropWaiting(queue)
    for (const engine of Object.values(engines)) await engine.close()
    for (const service of services) await service.close()
  })
}

async function startEngine(engine: EngineName): Promise<FaceIndex> {
  const service = await startStandInRekognition({
    recognise: async (image) => (persons.get(imageHash(image)) ?? []).map((person) => faceOf(person)),
  })
  services.push(service)
  return { ...(await indexOn(service)), engine }
}

export async function upload(files: Buffer[]): Promise<void> {
  const staged = await Promise.all(files.map((bytes, place) => domain.stage(bytes, `${place + 1}.jpg`)))
  await uploadBatch(domain, album, { totalIntendedPhotos: files.length }, staged)
}

/** Uploads a fifth picture, which is not indexed, and gives its id. */
export async function addPhoto(): Promise<string> {
  const picture = await newPicture()
  persons.set(imageHash(picture), [7])
  await uploadBatch(domain, album, { totalIntendedPhotos: 1 }, [await domain.stage(picture, '5.jpg')])
  return (await rows()).find(({ filename }) => filename === '5.jpg')!.id
}

/** The ids of the faces of a photo. */
export const facesOf = async (photoId: string) =>
  (await domain.db.selectFrom('faces').select('id').where('photo_id', '=', photoId).execute()).map(
    ({ id }) => id,
  )

/** Who opts out. */
export const GUEST = { role: 'guest', sessionId: 'of a guest', address: '203.0.113.7' } as const

/** The dependencies of a process that is configured for this engine. */
export function deps(engine: EngineName): AppContext {
  const other = engine === 'embedded' ? 'rekognition' : 'embedded'
  const otherFaces = async () => {
    if (isUnavailable[other]) throw serviceUnavailable()
    return engines[other]
  }
  return {
    ...domain,
    faces: engines[engine],
    otherFaces,
    threshold: 80,
  }
}

export const rows = () =>
  domain.db.selectFrom('photos').selectAll().where('album_id', '=', album.id).orderBy('filename').execute()

export const indexOne = (
  photoId: string,
  engine: EngineName,
  options: { again?: true; attempt?: number } = {},
) =>
  indexPhotos.run(
    deps(engine),
    { photoId, ...(options.again && { again: true }) },
    { attempt: options.attempt ?? 1 },
  )

/** Runs the jobs that index photos. Those that were run before have no effect. */
export async function indexWaiting(engine: EngineName): Promise<void> {
  for (const job of await domain.waiting('index-photos'))
    await indexPhotos.run(deps(engine), job, { attempt: 1 })
}

/** Changes the album's engine, as the command does, without the jobs. */
export const changeTo = (engine: EngineName) => reindexAlbum(deps(engine), album.id)

/** Indexes the album again, and removes its faces from the engine before. */
export async function reindexIn(engine: EngineName): Promise<void> {
  await changeTo(engine)
  await indexWaiting(engine)
  await clearAll(engine)
}

/** Runs the jobs that remove faces from the engine before. */
export async function clearAll(process: EngineName): Promise<void> {
  for (const job of await domain.waiting('clear-engine'))
    await clearEngine.run(deps(process), job, { attempt: 1 })
}

/** For each person, the photos that a search finds, as indexes into `photos`. */
export async function found(process = deps('rekognition')): Promise<number[][]> {
  const finds = pictures.map((image) => photosLike(process, [album.id], { selfies: [{ image }] }))
  return (await Promise.all(finds)).map(({ sure }) => sure.map(({ photoId }) => photos.indexOf(photoId)))
}
export const EACH_IN_ITS_PHOTO = [[0], [1], [2], [3]]

export async function counters() {
  const { photos_stored, photos_settled, faces_found, completed_at } = await domain.db
    .selectFrom('albums')
    .selectAll()
    .where('id', '=', album.id)
    .executeTakeFirstOrThrow()
  const faces = await domain.db.selectFrom('faces').select('id').where('album_id', '=', album.id).execute()
  return { photos_stored, photos_settled, faces_found, rows: faces.length, isReady: completed_at !== null }
}

export const facesIn = (engine: EngineName) => engines[engine].countFaces(album.id)
