import { randomBytes } from 'node:crypto'
import { link, readFile, rm, writeFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import { join } from 'node:path'
import addressparser from 'nodemailer/lib/addressparser'
import { type Config, ConfigError } from './config.ts'
import { plainEmailAddress } from './contract/addresses.ts'
import type { DatabaseAddress, Db } from './database/client.ts'
import { startEmbeddedPostgres } from './database/embedded/embedded-postgres.ts'
import { createKeyring, type Keyring } from './keyring.ts'
import type { Log } from './log.ts'
import { createMailAuthorisation, type MailAuthorisation } from './mail/authorisation.ts'
import { createGmail, type MailServer } from './mail/gmail.ts'
import { createGoogle, type GoogleOptions } from './mail/google.ts'
import type { Mailer } from './mail/mailer.ts'
import { createOutbox, type KeptLetters, keptLetters } from './mail/outbox.ts'
import { createSmtp } from './mail/smtp.ts'
import { createDiskStorage } from './storage/disk.ts'
import type { FileStorage } from './storage/file-storage.ts'
import type { FreeDisk } from './storage/free-disk.ts'
import { settingAtFault } from './storage/s3-faults.ts'

/** What a test uses instead of the configured mail. */
export interface MailOverrides {
  mailer?: Mailer
  /** Used instead of Google's servers. */
  google?: { endpoints: GoogleOptions['endpoints']; mailServer: MailServer }
}

/** The address of Postgres. The embedded one is started.
 *  @param onClose receives the function that ends it */
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

/** A wrong setting stops the start. A store that is currently unavailable does not, because a process must be able to
 *  restart meanwhile. */
export async function storageOf(
  config: Config,
  log: Log,
  onClose: (closer: () => Promise<void>) => void,
): Promise<FileStorage> {
  if (config.storage.kind === 'disk') {
    const folder = join(config.dataDir, 'files')
    const storage = await createDiskStorage(folder)
    if (storage.lacks?.length) log.warn(`On the disk of ${folder} ${storage.lacks.join(', and ')}`)
    return storage
  }
  // Loaded only here: the AWS SDK takes 40 MB.
  const { createS3Storage } = await import('./storage/s3.ts')
  try {
    const storage = await createS3Storage(config.storage)
    onClose(async () => storage.close())
    await storage.check().catch((error: unknown) => {
      if (settingAtFault(error)) throw error
      log.warn(
        { err: error },
        'The photo storage is currently unavailable. Until it is available again, photos can be neither stored nor shown',
      )
    })
    return storage
  } catch (error) {
    const fault = settingAtFault(error)
    throw fault ? new ConfigError(`${fault}.`, { cause: error }) : error
  }
}

/** How letters are sent: through Gmail as soon as an account is authorised. Until then they go to the mail server of
 *  SMTP_URL, or into the outbox folder. */
export async function mailOf(
  config: Config,
  overrides: MailOverrides,
  shared: { db: Db; keyring: Keyring; log: Log; freeDisk?: FreeDisk },
): Promise<{ mailer: Mailer; outbox: KeptLetters; mailAuthorisation: MailAuthorisation; letters: string }> {
  const { smtpUrl, mailFrom, publicUrl } = config
  const google =
    config.google && (await createGoogle({ ...config.google, endpoints: overrides.google?.endpoints }))
  const mailAuthorisation = createMailAuthorisation({ ...shared, google })
  const host = publicUrl ? new URL(publicUrl).hostname : 'localhost'
  const domain = mailFrom ? domainOf(mailFrom) : host
  const sender = { from: mailFrom ?? 'Inframe <inframe@localhost>', domain }
  const folder = join(config.dataDir, 'outbox')
  const requireRoom = shared.freeDisk?.require
  const otherwise = smtpUrl
    ? createSmtp({ url: smtpUrl, sender, greeting: isDomain(host) ? host : undefined })
    : await createOutbox({ folder, sender, ...(requireRoom && { requireRoom }) })
  const server = overrides.google?.mailServer
  const gmail = createGmail({ authorisation: mailAuthorisation, from: mailFrom, domain, otherwise, server })
  const letters = smtpUrl ? `letters go to ${new URL(smtpUrl).host}` : `letters are written to ${folder}`
  return {
    mailer: overrides.mailer ?? gmail,
    outbox: keptLetters(folder),
    mailAuthorisation,
    letters: (await mailAuthorisation.isInUse()) ? 'letters go through Gmail' : letters,
  }
}

/** The domain of a sender, in ASCII. */
function domainOf(sender: string): string {
  const [first] = addressparser(sender)
  const address = plainEmailAddress(first!.address!)
  return address.slice(address.lastIndexOf('@') + 1)
}

/** Whether a host is a full name. Mail servers refuse others. */
const isDomain = (host: string) => host.includes('.') && isIP(host) === 0

/** The keys of SECRET_KEY, or the one stored in the data folder. */
export async function keyringOf({ secretKeys, dataDir }: Config): Promise<Keyring> {
  return createKeyring(secretKeys ?? [await storedSecret(dataDir)])
}

/** The secret that is used without SECRET_KEY. The first start creates it. */
async function storedSecret(dataDir: string): Promise<string> {
  const path = join(dataDir, 'secret-key')
  // Nothing is written to a disk that may be full.
  const stored = await readFile(path, 'utf8').catch(() => undefined)
  if (stored) return stored
  const draft = `${path}.${process.pid}`
  try {
    await writeFile(draft, randomBytes(32).toString('base64url'), { mode: 0o600 })
    // Unlike a rename, a link never replaces a key that another process has just created.
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
