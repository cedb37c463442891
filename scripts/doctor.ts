/** Tries each part of the configuration, and prints one line for each: what works, or what is wrong. */
import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import { otherEngineWarning } from '../src/albums/reindex.ts'
import { databaseOf, keyringOf, mailOf, storageOf } from '../src/backends.ts'
import { type Config, ConfigError, loadConfig } from '../src/config.ts'
import { databaseUnusable } from '../src/context.ts'
import { namingOwner } from '../src/data-folder.ts'
import { createDb, type DatabaseAddress, type Db } from '../src/database/client.ts'
import { findEmbeddedPostgres } from '../src/database/embedded/embedded-postgres.ts'
import { readMigrations } from '../src/database/migrate.ts'
import { notificationsArrive } from '../src/database/notifications-arrive.ts'
import { tlsAdvice } from '../src/database/tls-advice.ts'
import { configuredFaces, embeddedSize, tryDecoders } from '../src/engines.ts'
import { AppError } from '../src/errors.ts'
import { checkKeys } from '../src/key-check.ts'
import { createLog } from '../src/log.ts'
import { createDecoders } from '../src/photos/decoders.ts'
import { tryFaces } from '../src/photos/try-faces.ts'
import type { FileStorage } from '../src/storage/file-storage.ts'
import { freeBytes } from '../src/storage/free-disk.ts'
import { counted, requireData } from './command-context.ts'
import { checkAddress } from './doctor-address.ts'

const USAGE = `Usage: npm run doctor -- [--letter-to ADDRESS]

Tries every part that the environment variables configure:

  database    connects, and checks the version, the migrations, SECRET_KEY and the notifications
  storage     writes, reads and deletes a file
  pictures    lets a decoder make a picture small
  faces       loads the embedded face engine, measures it, and names how many processes it has; or, on Amazon
              Rekognition, creates a collection, indexes a blank picture, searches with it, and deletes both
  albums      names those that another face engine has indexed
  mail        connects to the mail server; with --letter-to it sends a test letter
  limits      names the limits on what visitors can use up, and compares the free disk with DISK_FREE_MIN_MB
  address     asks PUBLIC_URL, when it is set, whether Inframe answers there, and whether large uploads reach it

Inframe may keep running. The exit code is 1 when a part fails.`

/** The oldest version of Postgres that has what the queries use. */
const OLDEST_POSTGRES = 15
const MEASURED_PHOTOS = 5

/** What to check when a part fails. */
const ADVICE: Record<string, string> = {
  database: 'DATABASE_URL',
  storage: 'S3_BUCKET, S3_ENDPOINT and the credentials, or whether DATA_DIR is writable',
  faces: 'AWS_REGION, the credentials and their permissions (docs/operating.md lists those that are needed)',
  mail: 'SMTP_URL',
  limits: 'DATA_DIR',
}

type OpenDatabase = { db: Db; address: DatabaseAddress }

/** What an earlier check has opened for later ones. */
const opened: { config?: Config; database?: OpenDatabase; storage?: FileStorage } = {}
let failed = false
const closers: (() => Promise<void>)[] = []
const onClose = (closer: () => Promise<void>) => void closers.push(closer)
// This command prints its own lines.
const log = createLog('silent')

try {
  await main()
} finally {
  for (const close of closers.reverse()) await close()
}
if (failed) process.exitCode = 1

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { 'letter-to': { type: 'string' }, help: { type: 'boolean', short: 'h' } },
  })
  if (values.help) return console.log(USAGE)
  await check('configuration', async () => readConfig())
  const { config } = opened
  if (!config) return
  await check('database', () => checkDatabase(config))
  await check('storage', () => checkStorage(config))
  const pictures = await check('pictures', async () => {
    await tryDecoders()
    return 'a decoder made a picture small'
  })
  const { database, storage } = opened
  if (database) {
    if (storage && pictures) await check('faces', () => checkFaces(config, database, storage))
    else console.log('skipped faces: the storage and the decoders are needed')
    await check('albums', async () => {
      const others = await otherEngineWarning(database.db, config.faces.kind)
      if (others) throw new Error(others)
      return `no album has faces in another face engine than ${config.faces.kind}`
    })
    await check('mail', () => checkMail(config, database.db, values['letter-to']))
  } else console.log('skipped faces, albums and mail: the database is needed')
  await check('limits', () => checkLimits(config))
  if (config.publicUrl) await check('address', () => checkAddress(config.publicUrl!))
}

/** Runs a check, and prints what it found or what is wrong. @returns whether it passed */
async function check(part: string, work: () => Promise<string>): Promise<boolean> {
  const began = performance.now()
  try {
    console.log(`ok      ${part}: ${await work()} (${Math.round(performance.now() - began)} ms)`)
    return true
  } catch (error) {
    failed = true
    console.log(`FAILED  ${part}: ${messageOf(await namingOwner(opened.config?.dataDir ?? '', error), part)}`)
    return false
  }
}

/** The message about a failed check. An AppError has a general message for visitors, and its cause has the reason. A
 *  ConfigError names its variables itself. */
function messageOf(error: unknown, part: string): string {
  if (!(error instanceof Error)) return String(error)
  if (error instanceof ConfigError) return error.message.replaceAll('\n', '\n        ')
  // Errors of the network and the disk have a code.
  if (!(error instanceof AppError || 'code' in error)) return error.message
  const reason = error.cause instanceof Error ? error.cause.message : error.message || String(error)
  return `${reason.replace(/\.$/, '')}. Check ${ADVICE[part]}.`
}

function readConfig(): string {
  const config = loadConfig()
  opened.config = config
  const { role, database, storage, faces } = config
  const where = database.kind === 'embedded' ? 'embedded Postgres' : 'Postgres of DATABASE_URL'
  const photos = storage.kind === 's3' ? `photos in the bucket ${storage.bucket}` : 'photos on disk'
  return `role ${role}, ${where}, ${photos}, face engine ${faces.kind}`
}

async function checkDatabase(config: Config): Promise<string> {
  const isEmbedded = config.database.kind === 'embedded'
  if (isEmbedded) await requireData(config)
  const running = isEmbedded && (await findEmbeddedPostgres(config.dataDir))
  const address = running || (await databaseOf(config, log, onClose))
  const db = createDb(address, () => {}, 2)
  onClose(() => db.destroy())
  const { rows } = await sql<{ version: string }>`select current_setting('server_version') as version`
    .execute(db)
    .catch((error: Error) => {
      throw tlsAdvice(error) ? databaseUnusable(error) : error
    })
  const version = rows[0]!.version
  if (Number.parseInt(version, 10) < OLDEST_POSTGRES)
    throw new Error(
      `DATABASE_URL: this is Postgres ${version}; version ${OLDEST_POSTGRES} or newer is needed`,
    )
  const migrations = await readMigrations(db)
  const pending = migrations.filter((migration) => !migration.isApplied)
  if (pending.length > 0)
    throw new Error(
      `${pending.length} of ${migrations.length} migrations are missing, from ${pending[0]!.name} on. ` +
        'Run npm run migrate, or start Inframe, which applies them.',
    )
  await checkKeys(db, await keyringOf(config), isEmbedded)
  if (!(await notificationsArrive(address)))
    throw new Error(
      'DATABASE_URL: notifications (LISTEN) do not arrive, so guests wait longer for their photos. PgBouncer passes ' +
        'them on with pool_mode=session only: set that, or let DATABASE_URL name Postgres itself.',
    )
  opened.database = { db, address }
  return `Postgres ${version}, all ${migrations.length} migrations applied`
}

async function checkStorage(config: Config): Promise<string> {
  const storage = await storageOf(config, log, onClose)
  const folder = `doctor/${randomUUID()}`
  const key = `${folder}/file`
  const bytes = Buffer.from('This may be deleted.')
  await storage.write(key, bytes, 'text/plain')
  try {
    const read = await storage.read(key)
    if (!read.equals(bytes)) throw new Error('a file that was read back differs from what was written')
  } finally {
    // As an erasure does it.
    await storage.deleteFolder(folder)
  }
  if ((await storage.count(folder)) > 0) throw new Error('a deleted file still exists')
  opened.storage = storage
  return ['a file was written, read and deleted', ...(storage.lacks ?? [])].join('; ')
}

async function checkFaces(config: Config, database: OpenDatabase, storage: FileStorage): Promise<string> {
  const decoders = createDecoders({ log })
  onClose(() => decoders.close())
  const faces = await configuredFaces(config, { ...database, log, pictures: decoders })
  onClose(() => faces.close())
  if (faces.engine === 'embedded') {
    // No collection is created, since each one belongs to an album.
    await faces.check()
    await faces.countFaces(randomUUID())
    const { size, why } = embeddedSize(config)
    const most = `at most ${counted(size, 'process', 'processes')} of each kind (${why})`
    return `the embedded face engine started, and its tables can be read; ${most}; ${await speedOf(config)}`
  }
  const { isSent } = await tryFaces({ storage, faces })
  if (isSent && storage.bucket)
    throw new Error(
      `${faces.engine} cannot read the bucket ${storage.bucket}, so Inframe sends it each photo. That works, but is slower. ` +
        'AWS_REGION must be the region of both, and no policy may deny s3:GetObject or kms:Decrypt.',
    )
  return `on ${faces.engine} a collection was created, a picture indexed and searched by, and both deleted`
}

/** How fast this machine describes the faces of a photo. */
async function speedOf(config: Config): Promise<string> {
  // Both load sharp. Where it does not run, the checks before have said so.
  const { samplePath } = await import('../src/testing/sample-photos.ts')
  const { loadFaceEngine } = await import('../src/faces/embedded/networks/engine.ts')
  const { engine, runtime } = await loadFaceEngine(config.faces.runtime)
  const photo = await readFile(samplePath(1))
  // The first one is slower.
  await engine.describePhoto(photo)
  const began = performance.now()
  for (let count = 0; count < MEASURED_PHOTOS; count++) await engine.describePhoto(photo)
  const perSecond = (1000 * MEASURED_PHOTOS) / (performance.now() - began)
  return `${perSecond.toFixed(1)} photos a second in each process, on the ${runtime} runtime`
}

async function checkMail(config: Config, db: Db, to: string | undefined): Promise<string> {
  const { mailer, letters } = await mailOf(config, {}, { db, keyring: await keyringOf(config), log })
  onClose(() => mailer.close())
  if (to === undefined) {
    await mailer.check()
    return `${letters}; to send a test letter, add --letter-to ADDRESS`
  }
  const text = 'This letter was sent to test whether the letters of Inframe arrive.'
  const subject = 'Test letter from Inframe'
  await mailer.send({ id: randomUUID(), to, subject, text: `${text}\n`, html: `<p>${text}</p>` })
  return `${letters}; a test letter was sent`
}

async function checkLimits({ limits, dataDir, role }: Config): Promise<string> {
  const { albumCreation, albumsPerDay, album, freeDiskBytes } = limits
  // A worker receives no uploads, so its free disk does not matter.
  const free = await freeBytes(dataDir)
  if (role !== 'worker' && free < freeDiskBytes)
    throw new Error(
      `DISK_FREE_MIN_MB: nothing new is stored, because the disk of ${dataDir} has ${mb(free)} free and ${mb(freeDiskBytes)} ` +
        'is the minimum. Free some space, or set a lower minimum.',
    )
  const each = `${album.photos.toLocaleString('en')} photos and ${album.bytes / 1e9} GB each`
  return `albums: creation ${albumCreation}, ${albumsPerDay} a day from one address, ${each}; free disk ${mb(free)}, minimum ${mb(freeDiskBytes)}`
}

function mb(bytes: number): string {
  return `${Math.floor(bytes / 1e6).toLocaleString('en')} MB`
}
