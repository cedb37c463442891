import { randomBytes } from 'node:crypto'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { RATE_LIMITS, type RateLimits } from './albums/rate-limits.ts'
import { type Config, ConfigError } from './config.ts'
import { checkConnection, createDb, type DatabaseAddress, type Db } from './database/client.ts'
import { startEmbeddedPostgres } from './database/embedded.ts'
import { migrateToLatest } from './database/migrate.ts'
import { configuredFaces, formerFacesOf } from './engines.ts'
import type { FaceIndex } from './faces/face-index.ts'
import type { QuotaGovernor } from './faces/rekognition/governor.ts'
import type { RekognitionOptions } from './faces/rekognition/rekognition-face-index.ts'
import { createReadiness, type Readiness } from './http/readiness.ts'
import type { AppServices } from './http/services.ts'
import { createStaging } from './http/staging.ts'
import type { JobDeps } from './jobs/define-queue.ts'
import { readQueues } from './jobs/queue-queries.ts'
import { type Jobs, startJobs } from './jobs/registry.ts'
import { createKeyring, type Keyring } from './keyring.ts'
import { createLog, type Log } from './log.ts'
import { createMailAuthorisation, type MailAuthorisation } from './mail/authorisation.ts'
import { createGmail, type MailServer } from './mail/gmail.ts'
import { createGoogle, type GoogleOptions } from './mail/google.ts'
import type { Mailer } from './mail/mailer.ts'
import { createOutbox } from './mail/outbox.ts'
import { createSmtp } from './mail/smtp.ts'
import { createMetrics } from './metrics.ts'
import { createPhotoLinks } from './photos/links.ts'
import { countPhotosByStage } from './photos/queries.ts'
import { createStorageCheck } from './storage/check.ts'
import { createDiskStorage } from './storage/disk.ts'
import type { FileStorage } from './storage/file-storage.ts'
import { settingAtFault } from './storage/s3-faults.ts'

/** Everything one process works with. */
export interface Context {
  config: Config
  log: Log
  services: AppServices
  jobDeps: Omit<JobDeps, 'siteUrl'>
  jobs: Jobs
  readiness: Readiness
  /** What keeps calls to Amazon Rekognition within its quotas; undefined with another face engine. */
  governor: QuotaGovernor | undefined
  /** What becomes of letters, in words for the person at the terminal. */
  letters: string
  /** Lets running work end, then lets go of everything, in the order that nothing is missed on the way. */
  close(): Promise<void>
}

/** What a test puts in the place of a part. */
export interface Overrides {
  database?: DatabaseAddress
  log?: Log
  storage?: FileStorage
  faces?: FaceIndex
  /** What Amazon Rekognition is called with. */
  rekognition?: Pick<RekognitionOptions, 'client'>
  mailer?: Mailer
  /** In the place of Google's servers. */
  google?: { endpoints: GoogleOptions['endpoints']; mailServer: MailServer }
  limits?: RateLimits
  /** Lets tests wait for a job's state. */
  spies?: boolean
}

/** Builds the parts that the configuration names. What was started is closed again when a later part fails. */
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
    throw error
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
    if (config.database.kind === 'embedded') throw error
    throw new ConfigError(`DATABASE_URL: the database cannot be used (${error.message}).`, { cause: error })
  })
  await migrateToLatest(db)

  const storage = overrides.storage ?? (await storageOf(config, log, onClose))
  // The embedded Postgres is claimed by one process, and its data folder with it.
  const isExclusive = config.database.kind === 'embedded' && !overrides.database
  const staging = await createStaging(join(dataDir, 'staging'), isExclusive)
  const mail = await mailOf(config, overrides, { db, keyring, log })
  onClose(() => mail.mailer.close())

  const parts = { db, log, client: overrides.rekognition?.client }
  const { faces, governor } = overrides.faces
    ? { faces: overrides.faces }
    : await configuredFaces(config, parts)
  onClose(() => faces.close())
  const formerFaces = formerFacesOf(config, faces.engine, parts)
  onClose(() => formerFaces.close())

  const jobs = await startJobs(address, log, { spies: overrides.spies ?? false })
  onClose(() => jobs.stop())

  const metrics = createMetrics(
    {
      queues: () => readQueues(db),
      photos: () => countPhotosByStage(db),
      ...(governor && { rekognition: governor.figures }),
    },
    (error) => log.warn({ err: error }, 'A figure for the metrics could not be read'),
  )
  const readiness = readinessOf({ db, storage, faces, jobs, mailer: mail.mailer, log })
  const shared = { db, storage, faces, formerFaces, keyring, jobs: jobs.sender, log, metrics }
  return {
    config,
    log,
    jobs,
    readiness,
    governor,
    letters: mail.letters,
    services: {
      ...shared,
      readiness,
      staging,
      links: createPhotoLinks({ keyring }),
      threshold: config.faces.threshold,
      limits: overrides.limits ?? RATE_LIMITS,
      publicUrl: config.publicUrl,
      trustProxy: config.trustProxy,
      mailAuthorisation: mail.authorisation,
      adminToken: config.adminToken,
      photoLibraryUrl: config.photoLibraryUrl,
      analyticsMeasurementId: config.analyticsMeasurementId,
    },
    jobDeps: { ...shared, mailer: mail.mailer, threshold: config.faces.threshold },
    close,
  }
}

/** Letters wait until mail is back, and a cloud's face engine is away for every process alike: neither makes one
 *  unfit. A balancer that took them all out would turn half a service into none. */
function readinessOf(parts: {
  db: Db
  storage: FileStorage
  faces: FaceIndex
  jobs: Jobs
  mailer: Mailer
  log: Log
}): Readiness {
  const { db, storage, faces, jobs, mailer, log } = parts
  return createReadiness(
    {
      database: { check: () => checkConnection(db), isNeeded: true },
      queue: { check: jobs.check, isNeeded: true },
      storage: { check: createStorageCheck(storage), isNeeded: true },
      faces: { check: () => faces.check(), isNeeded: faces.engine === 'embedded' },
      // A check logs in, and servers count logins.
      mail: { check: () => mailer.check(), isNeeded: false, everyMs: 60_000 },
    },
    log,
  )
}

/** The address to tell people: PUBLIC_URL, or this machine's own. */
export function siteUrlOf(config: Config, port: number): string {
  return config.publicUrl ?? `http://localhost:${port}`
}

export async function databaseOf(
  config: Config,
  log: Log,
  onClose: (closer: () => Promise<void>) => void,
): Promise<DatabaseAddress> {
  if (config.database.kind === 'url') return { connectionString: config.database.url }
  const postgres = await startEmbeddedPostgres({ dataDir: config.dataDir, log })
  onClose(() => postgres.stop())
  return postgres.address
}

/** A wrong setting stops the start; a store that is away for now does not, since a process has to be able to start
 *  again meanwhile. */
export async function storageOf(
  config: Config,
  log: Log,
  onClose: (closer: () => Promise<void>) => void,
): Promise<FileStorage> {
  if (config.storage.kind === 'disk') return await createDiskStorage(join(config.dataDir, 'files'))
  // Loaded only here: the AWS SDK takes 40 MB.
  const { createS3Storage } = await import('./storage/s3.ts')
  try {
    const storage = await createS3Storage(config.storage)
    onClose(async () => storage.close())
    await storage.check().catch((error: unknown) => {
      if (settingAtFault(error)) throw error
      log.warn(
        { err: error },
        'The photo storage is away: photos can be neither stored nor shown until it is back',
      )
    })
    return storage
  } catch (error) {
    const fault = settingAtFault(error)
    throw fault ? new ConfigError(`${fault}.`, { cause: error }) : error
  }
}

/** How letters leave: through Gmail from the moment that an account is authorised; until then through the mail
 *  server of SMTP_URL, or into the outbox folder. */
export async function mailOf(
  config: Config,
  overrides: Overrides,
  shared: { db: Db; keyring: Keyring; log: Log },
): Promise<{ mailer: Mailer; authorisation: MailAuthorisation; letters: string }> {
  const { smtpUrl, mailFrom } = config
  const google =
    config.google && (await createGoogle({ ...config.google, endpoints: overrides.google?.endpoints }))
  const authorisation = createMailAuthorisation({ ...shared, google })
  const from = mailFrom ?? 'Inframe <inframe@localhost>'
  const folder = join(config.dataDir, 'outbox')
  const otherwise = smtpUrl ? createSmtp({ url: smtpUrl, from }) : await createOutbox({ folder, from })
  const server = overrides.google?.mailServer
  const gmail = createGmail({ authorisation, from: mailFrom, otherwise, server })
  const letters = smtpUrl ? `letters go to ${new URL(smtpUrl).host}` : `letters are written to ${folder}`
  return {
    mailer: overrides.mailer ?? gmail,
    authorisation,
    letters: (await authorisation.isInUse()) ? 'letters go through Gmail' : letters,
  }
}

async function makeDataFolder(dataDir: string): Promise<void> {
  try {
    await mkdir(dataDir, { recursive: true })
  } catch (error) {
    throw new ConfigError(`DATA_DIR: ${dataDir} cannot be made (${(error as Error).message}).`, {
      cause: error,
    })
  }
}

/** The keys of SECRET_KEY, or the one kept in the data folder. */
export async function keyringOf({ secretKeys, dataDir }: Config): Promise<Keyring> {
  return createKeyring(secretKeys ?? [await keptSecret(dataDir)])
}

/** The secret that stands in for SECRET_KEY, made by the first start. */
async function keptSecret(dataDir: string): Promise<string> {
  const path = join(dataDir, 'secret-key')
  const draft = `${path}.${process.pid}`
  try {
    await writeFile(draft, randomBytes(32).toString('base64url'), { mode: 0o600 })
    // Unlike a rename, a link never replaces the key that another start has just made.
    await link(draft, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
    return await readFile(path, 'utf8')
  } catch (error) {
    throw new ConfigError(`DATA_DIR: ${dataDir} cannot be written to (${(error as Error).message}).`, {
      cause: error,
    })
  } finally {
    await rm(draft, { force: true })
  }
}
