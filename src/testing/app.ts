import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { RATE_LIMITS } from '../albums/rate-limits.ts'
import { loadConfig } from '../config.ts'
import { type AppContext, fromConfig, type Overrides } from '../context.ts'
import { createFaceWorkers, type FaceWorkers } from '../faces/embedded/networks/face-workers.ts'
import { buildApp } from '../http/app.ts'
import { LIMITS, type Limits } from '../http/limits.ts'
import { createLog } from '../log.ts'
import { createDecoders, type Decoders } from '../photos/decoders.ts'
import { createTestDatabase, type TestDatabase } from './database.ts'

export interface TestApp {
  /** The address it listens on, without a slash at its end. */
  url: string
  app: FastifyInstance
  context: AppContext
  database: TestDatabase
  dataDir: string
  /** Everything that was logged as a warning or worse. */
  logged: unknown[]
  close(): Promise<void>
}

/** Starts the whole service on a new database and a new data folder. It listens and, unless `work` is false, runs its
 *  jobs. Everything is real except the overrides. `env`: further variables; `arrival`: other limits on how requests arrive. */
export async function startTestApp({
  work = true,
  env = {},
  arrival,
  ...overrides
}: Overrides & {
  work?: boolean
  env?: Record<string, string>
  arrival?: Partial<Limits>
} = {}): Promise<TestApp> {
  const dataDir = await mkdtemp(join(tmpdir(), 'inframe-app-'))
  const database = await createTestDatabase()
  const config = loadConfig({ DATA_DIR: dataDir, FACE_WORKERS: '1', ...env })
  const logged: unknown[] = []
  const context = await fromConfig(config, {
    database: database.address,
    log: createLog('warn', { write: (line) => void logged.push(JSON.parse(line)) }),
    // Most test files need no face engine.
    facesStartLate: true,
    ...sharedEngines(),
    // A busy machine must not fail a test.
    ...(work && { selfieWaitMs: 20_000 }),
    // A test file creates and changes more albums from one address than a person does.
    limits: {
      ...RATE_LIMITS,
      albumsOfDay: { ...RATE_LIMITS.albumsOfDay, calls: 100_000 },
      changeAlbum: { ...RATE_LIMITS.changeAlbum, calls: 100_000 },
    },
    ...overrides,
  })
  const app = await buildApp(context, { ...LIMITS, ...arrival })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
  context.siteUrl = url
  if (work) await context.jobs.work(context)
  return {
    url,
    app,
    context,
    database,
    dataDir,
    logged,
    async close() {
      // As the service does when it stops. Otherwise a connection that is answered only now stays open.
      context.readiness.stop()
      await app.close()
      await context.close()
      await database.drop()
      // An upload whose browser has gone may still be writing a file. Then rm tries again.
      await rm(dataDir, { recursive: true, maxRetries: 10 })
    },
  }
}

interface Engines {
  decoders: Decoders
  faceWorkers: FaceWorkers
}

let engines: Engines | undefined

/** The decoders and the embedded face engine of all services that tests start in this process. A face engine takes a
 *  second of processor time to start, for photos and again for selfies. They end with this process. */
function sharedEngines(): Engines {
  const log = createLog('silent')
  const close = async () => {}
  engines ??= {
    decoders: { ...createDecoders({ log }), close },
    faceWorkers: { ...createFaceWorkers({ log, size: 1 }), close },
  }
  return engines
}
