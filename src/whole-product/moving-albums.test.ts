import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createAlbum } from '../albums/create.ts'
import { uploadBatch } from '../albums/upload.ts'
import { COMMAND_LINE } from '../audit/audit-log.ts'
import { loadConfig } from '../config.ts'
import { type Context, createContext } from '../context.ts'
import type { Album, EngineName } from '../database/schema.ts'
import { createFaceWorkers, type FaceWorkers } from '../faces/embedded/face-workers.ts'
import { createLog } from '../log.ts'
import { boxOf } from '../photos/face-box.ts'
import { queues } from '../queues/queues.ts'
import { searchAlbum } from '../search/search-album.ts'
import { readSample } from '../testing/client.ts'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { stageFile } from '../testing/domain.ts'
import { imageHash, recogniseWith } from '../testing/rekognition/recogniser.ts'
import { type StandIn, startStandInRekognition } from '../testing/rekognition/stand-in.ts'
import { cropFace } from '../testing/sample-photos.ts'
import { waitUntil } from '../testing/wait.ts'

const SAMPLES = [1, 2]
const TIMEOUT_MS = 120_000

let database: TestDatabase
let dataDir: string
let workers: FaceWorkers
let service: StandIn
let context: Context | undefined
let album: Album
let selfies: Buffer[]
/** Makes the service wait with every photo except the first. */
let gate: PromiseWithResolvers<void>

beforeAll(async () => {
  database = await createTestDatabase()
  dataDir = await mkdtemp(join(tmpdir(), 'inframe-moving-'))
  workers = createFaceWorkers({ log: createLog('silent'), size: 1 })
  const recognise = recogniseWith(async (image) => (await workers.describePhoto(image)).faces)
  const photos = new Set((await Promise.all(SAMPLES.map(readSample))).map(imageHash))
  let begun = 0
  gate = Promise.withResolvers()
  service = await startStandInRekognition({
    async recognise(image) {
      if (photos.has(imageHash(image)) && begun++ > 0) await gate.promise
      return await recognise(image)
    },
  })
}, TIMEOUT_MS)
afterAll(async () => {
  gate?.resolve()
  await context?.close()
  await service?.close()
  await workers?.close()
  await database?.drop()
  await rm(dataDir, { recursive: true })
})

/** Restarts the process with this face engine in its configuration. */
async function restart(engine: EngineName): Promise<Context> {
  await context?.close()
  const { endpoint, region, credentials } = service
  const config = loadConfig({
    DATA_DIR: dataDir,
    FACES: engine,
    FACE_WORKERS: '1',
    REKOGNITION_ENDPOINT: endpoint,
    REKOGNITION_TPS: '100',
  })
  context = await createContext(config, {
    database: database.address,
    log: createLog('silent'),
    rekognition: { client: { region, credentials } },
  })
  return context
}

const work = ({ jobs, jobDeps }: Context) => jobs.work({ ...jobDeps, siteUrl: 'http://localhost' })

const rows = () => database.db.selectFrom('photos').selectAll().orderBy('filename').execute()

/** The best match of each selfie. */
async function found({ services }: Context): Promise<(string | undefined)[]> {
  const results = selfies.map((selfie) =>
    searchAlbum(services, album, { person: { pictures: [selfie] }, sessionId: 'a session' }, ''),
  )
  return (await Promise.all(results)).map(({ photos }) => photos[0]?.filename)
}
const EACH_IN_ITS_PHOTO = SAMPLES.map((number) => `sample${number}.jpg`)

async function movedTo(engine: string, count = SAMPLES.length): Promise<void> {
  await waitUntil(
    `${count} photos in ${engine}`,
    async () => (await rows()).filter((photo) => photo.engine === engine).length === count,
    TIMEOUT_MS,
  )
}

/** The number of the album's faces in each engine. */
async function facesByEngine({ services: { faces, formerFaces } }: Context) {
  const current = await faces.countFaces(album.id)
  const former = await formerFaces.use((index) => index.countFaces(album.id))
  return { [faces.engine]: current, [formerFaces.engine]: former }
}

/** Waits until the collection in the former engine is removed, without the pause in which processes of the former
 *  configuration can end. */
async function formerCollectionRemoved({ jobs }: Context): Promise<void> {
  await waitUntil(
    'the former collection to be removed',
    async () => {
      await sql`update pgboss.job set start_after = now() where name = 'remove-collection'`.execute(
        database.db,
      )
      await database.db.transaction().execute((trx) => jobs.sender.send(trx, queues.moveAlbums, [{}]))
      const engines = await database.db.selectFrom('album_engines').select('engine').execute()
      return engines.length === 1
    },
    TIMEOUT_MS,
  )
}

test(
  'an album moves to Amazon Rekognition and back, across restarts, and is always searchable',
  async () => {
    const before = await restart('embedded')
    ;({ album } = await createAlbum(
      before.services,
      { email: 'owner@example.com', albumName: 'Party' },
      COMMAND_LINE,
    ))
    const staged = SAMPLES.map(async (number) =>
      stageFile(dataDir, await readSample(number), `sample${number}.jpg`),
    )
    await uploadBatch(before.services, album, { totalIntendedPhotos: 2 }, await Promise.all(staged))
    await work(before)
    await movedTo('embedded')
    const faces = await database.db.selectFrom('faces').selectAll().execute()
    selfies = await Promise.all(
      (await rows()).map(async ({ id, filename }) => {
        const [largest] = faces
          .filter((face) => face.photo_id === id)
          .sort((one, other) => other.box_width - one.box_width)
        const photo = await readSample(Number(/\d/.exec(filename)))
        return cropFace(photo, boxOf(largest!), 1.6)
      }),
    )
    expect(await found(before)).toEqual(EACH_IN_ITS_PHOTO)

    const after = await restart('rekognition')
    expect(await found(after), 'before anything has moved').toEqual(EACH_IN_ITS_PHOTO)
    // The service first refuses the job of one photo, which is retried.
    let calls = 0
    service.fault = (operation) =>
      operation === 'CreateCollection' && calls++ === 0 ? 'AccessDeniedException' : undefined
    await work(after)
    await movedTo('rekognition', 1)
    expect(await found(after), 'halfway').toEqual(EACH_IN_ITS_PHOTO)
    expect(calls).toBeGreaterThan(1)
    gate.resolve()
    await movedTo('rekognition')
    expect(await facesByEngine(after)).toEqual({ embedded: 6, rekognition: 6 })
    await formerCollectionRemoved(after)
    expect(await facesByEngine(after)).toEqual({ embedded: 0, rekognition: 6 })
    expect(await found(after), 'at the end').toEqual(EACH_IN_ITS_PHOTO)

    const back = await restart('embedded')
    expect(await found(back), 'before the way back').toEqual(EACH_IN_ITS_PHOTO)
    await work(back)
    await movedTo('embedded')
    await formerCollectionRemoved(back)
    expect(await facesByEngine(back)).toEqual({ embedded: 6, rekognition: 0 })
    expect(await found(back), 'back in the embedded engine').toEqual(EACH_IN_ITS_PHOTO)
    const counted = await database.db
      .selectFrom('albums')
      .select(['photos_stored', 'photos_settled', 'faces_found'])
      .executeTakeFirstOrThrow()
    expect(counted).toEqual({ photos_stored: 2, photos_settled: 2, faces_found: 6 })
    expect((await database.db.selectFrom('faces').select('id').execute()).length).toBe(6)
  },
  TIMEOUT_MS,
)
