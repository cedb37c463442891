import { join } from 'node:path'
import type { AlbumCreation } from './albums/invitations.ts'
import { RATE_LIMITS, type RateLimits } from './albums/rate-limits.ts'
import { createMaintainerCheck, type MaintainerCheck } from './api/maintainer.ts'
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
import { createStaging, type Staging } from './http/staging.ts'
import { type Jobs, startJobs } from './jobs/registry.ts'
import { checkKeys } from './key-check.ts'
import type { Keyring } from './keyring.ts'
import { createLog, type Log } from './log.ts'
import type { MailAuthorisation } from './mail/authorisation.ts'
import type { Mailer } from './mail/mailer.ts'
import type { KeptLetters } from './mail/outbox.ts'
import { createMetrics, type Metrics } from './metrics.ts'
import { createDecoders, type Decoders } from './photos/decoders.ts'
import { createPhotoLinks, type PhotoLinks } from './photos/links.ts'
import { decodersDown } from './photos/picture-errors.ts'
import { countPhotosByStage } from './photos/queries.ts'
import { SELFIE_WAIT_MS } from './search/submissions.ts'
import { createStorageCheck } from './storage/check.ts'
import type { FileStorage } from './storage/file-storage.ts'
import { aboveMinimum, createFreeDisk, type FreeDisk } from './storage/free-disk.ts'
import type { AlbumQuota } from './uploads/quota.ts'

type Settings = 'publicUrl' | 'host' | 'trustProxy' | 'photoLibraryUrl' | 'analyticsMeasurementId'

/** Everything that one process works with. A function says what it uses of it: `Pick<AppContext, 'db' | 'faces'>`. */
export interface AppContext extends Pick<Config, Settings> {
  config: Config
  log: Log
  db: Db
  keyring: Keyring
  storage: FileStorage
  freeDisk: FreeDisk
  staging: Staging
  decoders: Decoders
  /** The configured engine. */
  faces: FaceIndex
  /** Gives the other one, which may still have faces of albums.
   *  @throws AppError SERVICE_UNAVAILABLE when it cannot be used here */
  otherFaces: () => Promise<FaceIndex>
  /** Similarity (0–100) from which a face is surely of the person; undefined: the engine decides. */
  threshold?: number | undefined
  mailer: Mailer
  outbox: KeptLetters
  mailAuthorisation: MailAuthorisation
  /** Where letters go, in words for the person at the terminal. */
  letters: string
  links: PhotoLinks
  jobs: Jobs
  metrics: Metrics
  readiness: Readiness
  maintainers: MaintainerCheck
  limits: RateLimits
  albumQuota: AlbumQuota
  albumCreation: AlbumCreation
  /** Ms that a submission's request waits for its outcome. Within them the answer can say that the selfie shows no face. */
  selfieWaitMs: number
  /** The address that letters link to, without a slash at its end. With PORT=0 it is known when the server listens. */
  siteUrl: string
  /** Lets running work end, then closes all parts in the reverse order of their start. */
  close(): Promise<void>
}

/** What a test or a command uses instead of a configured part. */
export interface Overrides
  extends MailOverrides,
    Partial<Pick<AppContext, 'log' | 'storage' | 'faces' | 'decoders' | 'limits' | 'selfieWaitMs'>> {
  database?: DatabaseAddress
  /** Takes any SECRET_KEY, so that a command can give albums new passwords when it is lost. */
  keysUnchecked?: boolean
  /** Starts the decoders and the processes of the embedded face engine only when the first picture arrives. */
  facesStartLate?: boolean
  /** The processes of the embedded face engine. */
  faceWorkers?: FaceWorkers
  /** Settings of the client of Amazon Rekognition. */
  rekognition?: Pick<RekognitionOptions, 'client'>
}

type OnClose = (closer: () => Promise<void>) => void

/** Builds the configured parts. When a part fails, those that have started are closed again. */
export async function fromConfig(config: Config, overrides: Overrides = {}): Promise<AppContext> {
  const closers: (() => Promise<void>)[] = []
  const close = async () => {
    for (const closer of closers.splice(0).reverse()) await closer()
  }
  try {
    return { ...(await build(config, overrides, (closer) => closers.push(closer))), close }
  } catch (error) {
    await close()
    throw await namingOwner(config.dataDir, error)
  }
}

async function build(
  config: Config,
  overrides: Overrides,
  onClose: OnClose,
): Promise<Omit<AppContext, 'close'>> {
  const { dataDir, publicUrl, host, trustProxy, photoLibraryUrl, analyticsMeasurementId } = config
  const { log = createLog(config.logLevel) } = overrides
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
  const staging = await createStaging(join(dataDir, 'staging'), {
    exclusive: isExclusive,
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

  const jobs = await startJobs(address, log)
  onClose(() => jobs.stop())

  const metrics = createMetrics(
    { queues: jobs.figures, photos: () => countPhotosByStage(db), decoders: decoders.figures },
    (error) => log.warn({ err: error }, 'A figure for the metrics could not be read'),
  )
  // Letters wait until mail is available again, and a face engine in the cloud is unavailable to all processes at once. So
  // neither makes a process unready. A balancer would otherwise remove all processes.
  const readiness = createReadiness(
    {
      database: { check: () => checkWrites(db), isNeeded: true },
      queue: { check: jobs.check, isNeeded: true },
      storage: { check: createStorageCheck(store), isNeeded: true },
      // What is stored is still shown, and can be deleted.
      disk: { check: () => freeDisk.require(), isNeeded: false },
      decoders: {
        async check() {
          if (decoders.isDown()) throw decodersDown()
        },
        isNeeded: true,
      },
      faces: { check: () => faces.check(), isNeeded: faces.engine === 'embedded' },
      // A check logs in, and mail servers limit logins.
      mail: { check: () => mail.mailer.check(), isNeeded: false, everyMs: 60_000 },
    },
    log,
  )
  const { album: albumQuota, albumCreation, albumsPerDay } = config.limits
  const { limits = { ...RATE_LIMITS, albumsOfDay: { ...RATE_LIMITS.albumsOfDay, calls: albumsPerDay } } } =
    overrides
  return {
    config,
    publicUrl,
    host,
    trustProxy,
    photoLibraryUrl,
    analyticsMeasurementId,
    log,
    db,
    keyring,
    freeDisk,
    staging,
    decoders,
    faces,
    jobs,
    metrics,
    readiness,
    limits,
    albumQuota,
    albumCreation,
    ...mail,
    storage: isOnDisk ? aboveMinimum(store, freeDisk) : store,
    otherFaces: other.faces,
    threshold: config.faces.threshold,
    links: createPhotoLinks({ keyring }),
    maintainers: createMaintainerCheck(config.maintainerAccess, { db, keyring, limits, log }),
    selfieWaitMs: overrides.selfieWaitMs ?? SELFIE_WAIT_MS,
    siteUrl: siteUrlOf(config, config.port),
  }
}

export function databaseUnusable(error: Error): ConfigError {
  const message = `DATABASE_URL: the database cannot be used (${error.message || error}).${tlsAdvice(error)}`
  return new ConfigError(message, { cause: error })
}

/** The address for people: PUBLIC_URL, or this machine's own. */
export function siteUrlOf(config: Config, port: number): string {
  return config.publicUrl ?? `http://localhost:${port}`
}
