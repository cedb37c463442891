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
import { queues } from '../queues/queues.ts'
import { searchAlbum } from '../search/search-album.ts'
import { readSample } from '../testing/client.ts'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { stageFile } from '../testing/domain.ts'
import { recogniseWith } from '../testing/rekognition/recogniser.ts'
import { type StandIn, startStandInRekognition } from '../testing/rekognition/stand-in.ts'
import { selfieFrom } from '../testing/selfie.ts'
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

beforeAll(async () => {
  database = await createTestDatabase()
  dataDir = await mkdtemp(join(tmpdir(), 'inframe-moving-'))
  workers = createFaceWorkers({ log: createLog('silent'), size: 1 })
  const recognise = recogniseWith(async (image) => (await workers.describePhoto(image)).faces)
  service = await startStandInRekognition({ recognise })
}, TIMEOUT_MS)
afterAll(async () => {
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

const movedTo = (engine: string) =>
  waitUntil(
    `the photos in ${engine}`,
    async () => (await rows()).every((photo) => photo.engine === engine),
    TIMEOUT_MS,
  )

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
  'an album moves to Amazon Rekognition after a restart, and is always searchable',
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
    selfies = await Promise.all(
      SAMPLES.map(async (number) => selfieFrom(database.db, `sample${number}.jpg`, await readSample(number))),
    )
    expect(await found(before)).toEqual(EACH_IN_ITS_PHOTO)

    const after = await restart('rekognition')
    expect(await found(after), 'before anything has moved').toEqual(EACH_IN_ITS_PHOTO)
    await work(after)
    await movedTo('rekognition')
    expect(await facesByEngine(after)).toEqual({ embedded: 6, rekognition: 6 })
    await formerCollectionRemoved(after)
    expect(await facesByEngine(after)).toEqual({ embedded: 0, rekognition: 6 })
    expect(await found(after), 'at the end').toEqual(EACH_IN_ITS_PHOTO)
  },
  TIMEOUT_MS,
)
