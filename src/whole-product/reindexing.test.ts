import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createAlbum } from '../albums/create.ts'
import { reindexAlbum } from '../albums/reindex.ts'
import { COMMAND_LINE } from '../audit/audit-log.ts'
import { loadConfig } from '../config.ts'
import { type AppContext, fromConfig } from '../context.ts'
import type { Album, EngineName } from '../database/schema.ts'
import { createFaceWorkers, type FaceWorkers } from '../faces/embedded/networks/face-workers.ts'
import { createLog } from '../log.ts'
import { searchAlbum } from '../search/search-album.ts'
import { readSample } from '../testing/client.ts'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { stageFile } from '../testing/domain.ts'
import { recogniseWith } from '../testing/rekognition/recogniser.ts'
import { type StandIn, startStandInRekognition } from '../testing/rekognition/stand-in.ts'
import { selfieFrom } from '../testing/selfie.ts'
import { uploadBatch } from '../uploads/accept-batch.ts'

const SAMPLES = [1, 2]
const TIMEOUT_MS = 120_000

let database: TestDatabase
let dataDir: string
let workers: FaceWorkers
let service: StandIn
let context: AppContext | undefined
let album: Album
let selfies: Buffer[]

beforeAll(async () => {
  database = await createTestDatabase()
  dataDir = await mkdtemp(join(tmpdir(), 'inframe-reindexing-'))
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
async function restart(engine: EngineName): Promise<AppContext> {
  await context?.close()
  const { endpoint, region, credentials } = service
  const config = loadConfig({
    DATA_DIR: dataDir,
    FACES: engine,
    FACE_WORKERS: '1',
    REKOGNITION_ENDPOINT: endpoint,
    REKOGNITION_TPS: '100',
  })
  context = await fromConfig(config, {
    database: database.address,
    log: createLog('silent'),
    rekognition: { client: { region, credentials } },
  })
  await context.jobs.work({ ...context, siteUrl: 'http://localhost' })
  return context
}

/** The best match of each selfie. */
async function found(context: AppContext): Promise<(string | undefined)[]> {
  const results = selfies.map((selfie) =>
    searchAlbum(context, album, { person: { pictures: [selfie] }, sessionId: 'a session' }, ''),
  )
  return (await Promise.all(results)).map(({ photos }) => photos[0]?.filename)
}
const EACH_IN_ITS_PHOTO = SAMPLES.map((number) => `sample${number}.jpg`)

const allIn = (engine: EngineName) =>
  expect
    .poll(
      async () =>
        (await database.db.selectFrom('photos').select('engine').execute()).map((row) => row.engine),
      {
        timeout: TIMEOUT_MS,
      },
    )
    .toEqual([engine, engine])

/** The number of the album's faces in each engine. */
async function faces({ faces, otherFaces }: AppContext): Promise<number[]> {
  const other = await otherFaces()
  return [await faces.countFaces(album.id), await other.countFaces(album.id)]
}

test(
  'after a change of the engine an album is found again when it was indexed again, and nothing stays in the engine before',
  async () => {
    const before = await restart('embedded')
    ;({ album } = await createAlbum(before, { email: 'owner@example.com', albumName: 'Party' }, COMMAND_LINE))
    const staged = SAMPLES.map(async (number) =>
      stageFile(dataDir, await readSample(number), `sample${number}.jpg`),
    )
    await uploadBatch(before, album, { totalIntendedPhotos: 2 }, await Promise.all(staged))
    await allIn('embedded')
    selfies = await Promise.all(
      SAMPLES.map(async (number) => selfieFrom(database.db, `sample${number}.jpg`, await readSample(number))),
    )
    expect(await found(before)).toEqual(EACH_IN_ITS_PHOTO)

    for (const engine of ['rekognition', 'embedded'] as const) {
      const after = await restart(engine)
      expect(await found(after)).toEqual([undefined, undefined])
      await reindexAlbum(after, album.id)
      await allIn(engine)
      expect(await found(after)).toEqual(EACH_IN_ITS_PHOTO)
      await expect.poll(() => faces(after), { timeout: TIMEOUT_MS }).toEqual([6, 0])
    }
  },
  TIMEOUT_MS,
)
