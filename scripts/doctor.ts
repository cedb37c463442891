/** Tries each part of the configuration for real, and says in one line each what is wrong. */
import { randomUUID } from 'node:crypto'
import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import { databaseOf, keyringOf, mailOf, storageOf } from '../src/backends.ts'
import { type Config, ConfigError, loadConfig } from '../src/config.ts'
import { createDb, type Db } from '../src/database/client.ts'
import { findEmbeddedPostgres } from '../src/database/embedded.ts'
import { readMigrations } from '../src/database/migrate.ts'
import { configuredFaces } from '../src/engines.ts'
import { AppError } from '../src/errors.ts'
import { createLog } from '../src/log.ts'
import { tryFaces } from '../src/photos/try-faces.ts'
import type { FileStorage } from '../src/storage/file-storage.ts'

const USAGE = `Usage: npm run doctor -- [--letter-to ADDRESS]

Tries every part that the environment configures: the database, the photo storage (an object is written, read and
deleted), the face engine (on Rekognition a collection is made, a blank picture indexed, and both are deleted), the mail
server, and the address of the site. With --letter-to a test letter is sent. A running Inframe need not be stopped.
Ends with 1 when something is wrong.`

/** Postgres before this lacks what the queries use. */
const OLDEST_POSTGRES = 15
const PATIENCE_MS = 10_000

/** Where a part is mended. */
const MEND: Record<string, string> = {
  database: 'DATABASE_URL',
  storage: 'S3_BUCKET, S3_ENDPOINT and the credentials, or that DATA_DIR can be written',
  faces: 'AWS_REGION, the credentials and their rights (DEPLOY.md lists the least)',
  mail: 'SMTP_URL',
}

type Closer = () => Promise<void>

let wrong = 0
const closers: Closer[] = []
const onClose = (closer: Closer) => void closers.push(closer)
// What the parts have to say stands in the lines below.
const log = createLog('silent')

try {
  await main()
} finally {
  for (const close of closers.reverse()) await close()
}
process.exitCode ||= wrong > 0 ? 1 : 0

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { 'letter-to': { type: 'string' }, help: { type: 'boolean', short: 'h' } },
  })
  if (values.help) return console.log(USAGE)
  const config = await check('configuration', async () => readConfig())
  if (!config) return
  const db = await check('database', () => checkDatabase(config))
  const storage = await check('storage', () => checkStorage(config))
  if (db) {
    if (storage) await check('faces', () => checkFaces(config, db, storage))
    else console.log('        faces wait for the storage')
    await check('mail', () => checkMail(config, db, values['letter-to']))
  } else console.log('        faces and mail wait for the database')
  if (config.publicUrl) await check('address', () => checkAddress(config.publicUrl!))
}

/** Prints what a check found out, or what is wrong.
 *  @returns its result, undefined when it failed */
async function check<T>(
  part: string,
  work: () => Promise<{ words: string; result?: T }>,
): Promise<T | undefined> {
  const began = performance.now()
  try {
    const { words, result } = await work()
    console.log(`ok      ${part}: ${words} (${Math.round(performance.now() - began)} ms)`)
    return result
  } catch (error) {
    wrong += 1
    console.log(`WRONG   ${part}: ${wordsOf(error, part)}`)
    return undefined
  }
}

/** What is wrong, for whoever runs the service: a fault that visitors are told of in general words has its reason as
 *  its cause. Configuration faults name their variables themselves. */
function wordsOf(error: unknown, part: string): string {
  if (!(error instanceof Error)) return String(error)
  if (error instanceof ConfigError) return error.message.replaceAll('\n', '\n        ')
  if (!(error instanceof AppError) && !isErrno(error)) return error.message
  const reason = error.cause instanceof Error ? error.cause.message : error.message || String(error)
  return `${reason.replace(/\.$/, '')}. Look at ${MEND[part]}.`
}

/** What the network or the disk says. */
function isErrno(error: Error): boolean {
  return 'code' in error && typeof error.code === 'string'
}

function readConfig(): { words: string; result: Config } {
  // One thread is enough to see whether the engine starts.
  const config = loadConfig({ ...process.env, FACE_WORKERS: '1' })
  const { role, database, storage, faces } = config
  const where = { embedded: 'embedded Postgres', url: 'Postgres of DATABASE_URL' }[database.kind]
  const photos = storage.kind === 's3' ? `photos in the bucket ${storage.bucket}` : 'photos on disk'
  return { words: `role ${role}, ${where}, ${photos}, faces by ${faces.kind}`, result: config }
}

async function checkDatabase(config: Config): Promise<{ words: string; result: Db }> {
  const running = config.database.kind === 'embedded' && (await findEmbeddedPostgres(config.dataDir))
  const db = createDb(running || (await databaseOf(config, log, onClose)), () => {}, 2)
  onClose(() => db.destroy())
  const { rows } = await sql<{
    version: string
  }>`select current_setting('server_version') as version`.execute(db)
  const version = rows[0]!.version
  if (Number.parseInt(version, 10) < OLDEST_POSTGRES)
    throw new Error(`DATABASE_URL: this is Postgres ${version}; at least ${OLDEST_POSTGRES} is needed`)
  const migrations = await readMigrations(db)
  const pending = migrations.filter((migration) => !migration.isApplied)
  if (pending.length > 0)
    throw new Error(
      `${pending.length} of ${migrations.length} migrations have not been applied, from ${pending[0]!.name} on. ` +
        'Run npm run migrate, or start Inframe, which does so.',
    )
  return { words: `Postgres ${version}, all ${migrations.length} migrations applied`, result: db }
}

async function checkStorage(config: Config): Promise<{ words: string; result: FileStorage }> {
  const storage = await storageOf(config, log, onClose)
  const key = `doctor/${randomUUID()}`
  const bytes = Buffer.from('This may be deleted.')
  await storage.write(key, bytes, 'text/plain')
  try {
    const read = await storage.read(key)
    if (!read.equals(bytes)) throw new Error('an object came back other than it was written')
  } finally {
    await storage.delete(key)
  }
  if (await storage.exists(key)) throw new Error('an object that was deleted is still there')
  return { words: 'an object was written, read and deleted', result: storage }
}

async function checkFaces(config: Config, db: Db, storage: FileStorage): Promise<{ words: string }> {
  const { faces } = await configuredFaces(config, { db, log })
  onClose(() => faces.close())
  if (faces.engine === 'embedded') {
    // Its networks have been loaded by now. A collection there belongs to an album's row.
    await faces.check()
    await faces.countFaces(randomUUID())
    return { words: 'embedded: its networks load, and its tables answer' }
  }
  const { isSent } = await tryFaces({ storage, faces })
  if (isSent && storage.bucket)
    throw new Error(
      `${faces.engine} cannot read the bucket ${storage.bucket}, so each photo is sent to it, which works and is slower. ` +
        'AWS_REGION has to be the region of both, and nothing may deny s3:GetObject or kms:Decrypt.',
    )
  return { words: `${faces.engine}: a collection was made, a picture indexed, and both deleted` }
}

async function checkMail(config: Config, db: Db, to: string | undefined): Promise<{ words: string }> {
  const { mailer, letters } = await mailOf(config, {}, { db, keyring: await keyringOf(config), log })
  onClose(() => mailer.close())
  if (to === undefined) {
    await mailer.check()
    return { words: `${letters}; none was sent, --letter-to ADDRESS sends one` }
  }
  await mailer.send({
    id: randomUUID(),
    to,
    subject: 'A test letter of Inframe',
    text: 'Whoever runs Inframe has tried whether its letters arrive. This one has.\n',
    html: '<p>Whoever runs Inframe has tried whether its letters arrive. This one has.</p>',
  })
  return { words: `${letters}; a test letter was handed over` }
}

async function checkAddress(publicUrl: string): Promise<{ words: string }> {
  const url = `${publicUrl}/healthz`
  try {
    const { status } = await fetch(url, { signal: AbortSignal.timeout(PATIENCE_MS), redirect: 'manual' })
    if (status !== 200) throw new Error(`${url} answers ${status}; it should lead to a running Inframe`)
  } catch (error) {
    if (!(error instanceof TypeError || (error as Error).name === 'TimeoutError')) throw error
    throw new Error(
      `PUBLIC_URL: nothing answers at ${url}. Is Inframe running, and does the name lead to it?`,
    )
  }
  return { words: `an Inframe answers at ${publicUrl}` }
}
