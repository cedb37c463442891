import { join } from 'node:path'
import { RATE_LIMITS, type RateLimits } from './albums/rate-limits.ts'
import { createMaintainerCheck } from './api/maintainer.ts'
import { databaseOf, keyringOf, type MailOverrides, mailOf, storageOf } from './backends.ts'
import { type Config, ConfigError } from './config.ts'
import { makeDataFolder, namingOwner } from './data-folder.ts'
import { checkConnection, checkWrites, createDb, type DatabaseAddress, type Db } from './database/client.ts'
import { migrateToLatest } from './database/migrate.ts'
import { tlsAdvice } from './database/tls-advice.ts'
import { configuredFaces, otherEngine, tryDecoders } from './engines.ts'
import type { FaceWorkers } from './faces/embedded/networks/face-workers.ts'
import type { FaceIndex } from './faces/face-index.ts'
import type { RekognitionOptions } from './faces/rekognition/rekognition-face-index.ts'
import { createReadiness, type Readiness } from './http/readiness.ts'
import type { AppServices } from './http/services.ts'
import { createStaging } from './http/staging.ts'
import type { JobDeps } from './jobs/define-queue.ts'
import { type Jobs, startJobs } from './jobs/registry.ts'
import { checkKeys } from './key-check.ts'
import { createLog, type Log } from './log.ts'
import type { Mailer } from './mail/mailer.ts'
import { createMetrics } from './metrics.ts'
import { createDecoders, type Decoders } from './photos/decoders.ts'
import { createPhotoLinks } from './photos/links.ts'
import { decodersDown } from './photos/picture-errors.ts'
import { countPhotosByStage } from './photos/queries.ts'
import { SELFIE_WAIT_MS } from './search/submit-selfie.ts'
import { createStorageCheck } from './storage/check.ts'
import type { FileStorage } from './storage/file-storage.ts'
import { aboveMinimum, createFreeDisk, type FreeDisk } from './storage/free-disk.ts'

/** Everything one process works with. */
export interface Context {
  config: Config
  log: Log
  services: AppServices
  jobDeps: Omit<JobDeps, 'siteUrl'>
  jobs: Jobs
  readiness: Readiness
  /** Where letters go, in words for the person at the terminal. */
  letters: string
  /** Lets running work end, then closes all parts in the reverse order of their start. */
  close(): Promise<void>
}

/** What a test or a command uses instead of a configured part. */
export interface Overrides extends MailOverrides {
  database?: DatabaseAddress
  log?: Log
  storage?: FileStorage
  faces?: FaceIndex
  /** Takes any SECRET_KEY, so that a command can give albums new passwords when it is lost. */
  keysUnchecked?: boolean
  /** Starts the decoders and the processes of the embedded face engine only when the first picture arrives. */
  facesStartLate?: boolean
  /** The processes of the embedded face engine. */
  faceWorkers?: FaceWorkers
  decoders?: Decoders
  /** Settings of the client of Amazon Rekognition. */
  rekognition?: Pick<RekognitionOptions, 'client'>
  limits?: RateLimits
  selfieWaitMs?: number
  /** Lets tests wait for a job's state. */
  spies?: boolean
}

/** Builds the configured parts. When a part fails, those that have started are closed again. */
export async function createContext(config: Config, overrides: Overrides = {}): Promise<Context> {
  const log = overrides.log ?? createLog(config.logLevel)
  const closers: (() => Promise<void>)[] = []
  const close = async () => {
    for (const closer of closers.splice(0).reverse()) await closer()
  }
  try {
    return await buildContext(config, overrides, log, (closer) => closers.push(closer), close)
  } catch (error) {
    await close()
    throw await namingOwner(config.dataDir, error)
  }
}

async function buildContext(
  config: Config,
  overrides: Overrides,
  log: Log,
  onClose: (closer: () => Promise<void>) => void,
  close: () => Promise<void>,
): Promise<Context> {
  const { dataDir } = config
  await makeDataFolder(dataDir)
  const keyring = await keyringOf(config)

  const address = overrides.database ?? (await databaseOf(config, log, onClose))
  const db = createDb(address, (error) => log.warn({ err: error }, 'A database connection was lost'))
  onClose(() => db.destroy())
  await checkConnection(db).catch((error: Error) => {
    throw config.database.kind === 'embedded' ? error : databaseUnusable(error)
  })
  await migrateToLatest(db)
  // One process claims the embedded Postgres and its data folder.
  const isExclusive = config.database.kind === 'embedded' && !overrides.database
  if (!overrides.keysUnchecked) await checkKeys(db, keyring, isExclusive)

  // Stored photos may be on another disk than the rest, when their folder is a mount.
  const isOnDisk = config.storage.kind === 'disk' && !overrides.storage
  const freeDisk = createFreeDisk({
    folders: isOnDisk ? [dataDir, join(dataDir, 'files')] : [dataDir],
    minimum: config.limits.freeDiskBytes,
    log,
  })
  const store = overrides.storage ?? (await storageOf(config, log, onClose))
  const storage = isOnDisk ? aboveMinimum(store, freeDisk) : store
  const staging = await createStaging(join(dataDir, 'staging'), {
    exclusive: isExclusive,
    mostBytes: config.limits.stagingBytes,
    freeDisk,
  })
  const mail = await mailOf(config, overrides, { db, keyring, log, freeDisk })
  onClose(() => mail.mailer.close())

  const decoders = overrides.decoders ?? createDecoders({ log })
  onClose(() => decoders.close())
  if (!overrides.facesStartLate) await tryDecoders()
  const parts = {
    db,
    address,
    log,
    pictures: decoders,
    client: overrides.rekognition?.client,
    startsLate: overrides.facesStartLate,
    workers: overrides.faceWorkers,
  }
  const faces = overrides.faces ?? (await configuredFaces(config, parts))
  onClose(() => faces.close())
  const other = otherEngine(config, faces.engine, parts)
  onClose(() => other.close())

  const jobs = await startJobs(address, log, { spies: overrides.spies ?? false })
  onClose(() => jobs.stop())

  const metrics = createMetrics(
    {
      queues: jobs.figures,
      photos: () => countPhotosByStage(db),
      decoders: decoders.figures,
    },
    (error) => log.warn({ err: error }, 'A figure for the metrics could not be read'),
  )
  const readiness = readinessOf({
    db,
    storage: store,
    freeDisk,
    decoders,
    faces,
    jobs,
    mailer: mail.mailer,
    log,
  })
  const limits = overrides.limits ?? rateLimitsOf(config)
  const { outbox } = mail
  const shared = {
    db,
    storage,
    freeDisk,
    decoders,
    faces,
    otherFaces: other.faces,
    keyring,
    outbox,
    jobs: jobs.sender,
    log,
    metrics,
  }
  return {
    config,
    log,
    jobs,
    readiness,
    letters: mail.letters,
    services: {
      ...shared,
      readiness,
      staging,
      albumQuota: config.limits.album,
      albumCreation: config.limits.albumCreation,
      links: createPhotoLinks({ keyring }),
      threshold: config.faces.threshold,
      limits,
      selfieWaitMs: overrides.selfieWaitMs ?? SELFIE_WAIT_MS,
      publicUrl: config.publicUrl,
      host: config.host,
      trustProxy: config.trustProxy,
      mailAuthorisation: mail.authorisation,
      maintainers: createMaintainerCheck(config.maintainerAccess, { db, keyring, limits, log }),
      photoLibraryUrl: config.photoLibraryUrl,
      analyticsMeasurementId: config.analyticsMeasurementId,
    },
    jobDeps: { ...shared, mailer: mail.mailer, threshold: config.faces.threshold },
    close,
  }
}

export function databaseUnusable(error: Error): ConfigError {
  const message = `DATABASE_URL: the database cannot be used (${error.message || error}).${tlsAdvice(error)}`
  return new ConfigError(message, { cause: error })
}

function rateLimitsOf({ limits }: Config): RateLimits {
  return { ...RATE_LIMITS, albumsOfDay: { ...RATE_LIMITS.albumsOfDay, calls: limits.albumsPerDay } }
}

/** Letters wait until mail is available again, and a face engine in the cloud is unavailable to all processes at once. So
 *  neither makes a process unready. A balancer would otherwise remove all processes. */
function readinessOf(parts: {
  db: Db
  storage: FileStorage
  freeDisk: FreeDisk
  decoders: Decoders
  faces: FaceIndex
  jobs: Jobs
  mailer: Mailer
  log: Log
}): Readiness {
  const { db, storage, freeDisk, decoders, faces, jobs, mailer, log } = parts
  return createReadiness(
    {
      database: { check: () => checkWrites(db), isNeeded: true },
      queue: { check: jobs.check, isNeeded: true },
      storage: { check: createStorageCheck(storage), isNeeded: true },
      // What is stored is still shown, and can be deleted.
      disk: { check: () => freeDisk.require(), isNeeded: false },
      decoders: { check: () => requireDecoders(decoders), isNeeded: true },
      faces: { check: () => faces.check(), isNeeded: faces.engine === 'embedded' },
      // A check logs in, and mail servers limit logins.
      mail: { check: () => mailer.check(), isNeeded: false, everyMs: 60_000 },
    },
    log,
  )
}

async function requireDecoders(decoders: Decoders): Promise<void> {
  if (decoders.isDown()) throw decodersDown()
}

/** The address for people: PUBLIC_URL, or this machine's own. */
export function siteUrlOf(config: Config, port: number): string {
  return config.publicUrl ?? `http://localhost:${port}`
}
