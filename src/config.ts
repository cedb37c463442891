import { isIP } from 'node:net'
import { join, resolve } from 'node:path'
import addressparser from 'nodemailer/lib/addressparser'
import { z } from 'zod'
import { type MaintainerAccess, maintainerAccessOf } from './admin/maintainer-access.ts'
import { LIMIT_VARIABLES, type LimitSettings, limitSettings, wholeNumber } from './config-limits.ts'
import { emailFault, plainEmailAddress } from './contract/addresses.ts'
import { ENGINES, type EngineName } from './database/schema.ts'
import { RUNTIMES, type RuntimeName } from './faces/embedded/networks/runtime.ts'
import type { S3Settings } from './storage/s3-client.ts'

const PROJECT_FOLDER = resolve(import.meta.dirname, '..')

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

function isProxyList(list: string): boolean {
  return list.split(',').every((entry) => {
    const [address = '', bits] = entry.trim().split('/')
    if (['loopback', 'linklocal', 'uniquelocal'].includes(entry.trim())) return true
    return isIP(address) !== 0 && (bits === undefined || /^\d{1,3}$/.test(bits))
  })
}

/** Whether nothing follows the host and port, and the host can be one: `*.example.com` is none. */
function isOnlyAnOrigin(url: string): boolean {
  const { origin, href, hostname } = new URL(url)
  return href === `${origin}/` && /^(\[.+\]|[\w.-]+)$/.test(hostname)
}

/** Whether a mail program reads one address in it. The domain may be a machine's name without a dot. */
function isOneSender(text: string): boolean {
  const [sender, ...others] = addressparser(text)
  if (!sender?.address || others.length > 0) return false
  // The parser takes what stands beside an address, or behind a space in it, for the name.
  const [, address = text] = /<([^<>]*)>$/.exec(text.trim()) ?? []
  if (address.trim() !== sender.address) return false
  return emailFault(plainEmailAddress(sender.address).replace(/@[\w-]+$/, '$&.local')) === undefined
}

const variables = z.object({
  PORT: wholeNumber(0, 65_535).default(3000),
  HOST: z.string().default('127.0.0.1'),
  PUBLIC_URL: z
    .url({
      protocol: /^https?$/,
      error: 'must be an address such as https://photos.example.com',
      abort: true,
    })
    .refine(isOnlyAnOrigin, 'must be only scheme, host and port, such as https://photos.example.com')
    .transform((url) => new URL(url).origin)
    .optional(),
  TRUST_PROXY: z
    .string()
    .refine(isProxyList, 'must be a list of addresses or ranges, such as 10.0.0.0/8, or loopback')
    .default('loopback'),
  DATA_DIR: z.string().default(join(PROJECT_FOLDER, 'data')),
  ROLE: z.enum(['web', 'worker', 'all'], 'must be web, worker or all').default('all'),
  SECRET_KEY: z
    .string()
    .transform((list) => list.split(',').map((key) => key.trim()))
    .refine(
      (keys) => keys.every((key) => key.length >= 32),
      'must be one or more keys of at least 32 characters, the newest first, separated by commas',
    )
    .optional(),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'must begin with postgres://')
    .optional(),
  S3_BUCKET: z.string().optional(),
  S3_ENDPOINT: z
    .url({ protocol: /^https?$/, error: 'must be an address such as https://s3.example.com' })
    .optional(),
  S3_FORCE_PATH_STYLE: z
    .enum(['true', 'false'], 'must be true or false')
    .default('false')
    .transform((value) => value === 'true'),
  S3_ENCRYPTION: z
    .string()
    .regex(/^(AES256|aws:kms(:.+)?)$/, 'must be AES256, aws:kms or aws:kms:<key>')
    .optional(),
  AWS_REGION: z.string().optional(),
  FACES: z.enum(ENGINES, 'must be embedded or rekognition').default('embedded'),
  FACE_MATCH_THRESHOLD: wholeNumber(1, 100).optional(),
  FACE_WORKERS: wholeNumber(1, 256).optional(),
  FACE_RUNTIME: z.enum(RUNTIMES, 'must be native or wasm').optional(),
  REKOGNITION_ENDPOINT: z
    .url({
      protocol: /^https?$/,
      error: 'must be an address such as https://vpce-1.rekognition.us-east-1.vpce.amazonaws.com',
    })
    .optional(),
  REKOGNITION_TPS: wholeNumber(1, 1000).default(5),
  REKOGNITION_WORKERS: wholeNumber(1, 1000).default(1),
  SMTP_URL: z
    .url({
      protocol: /^smtps?$/,
      hostname: /./,
      error: 'must be an address such as smtps://user:password@mail.example.com',
    })
    .optional(),
  MAIL_FROM: z
    .string()
    .refine(isOneSender, 'must be one address, such as Inframe <photos@example.com>')
    .optional(),
  GOOGLE_CLIENT_ID: z.string().optional(),
  GOOGLE_CLIENT_SECRET: z.string().optional(),
  ADMIN_TOKEN: z.string().min(16, 'must have at least 16 characters').optional(),
  DRAIN_DELAY_MS: wholeNumber(0, 600_000).default(0),
  PHOTO_LIBRARY_URL: z
    .url({
      protocol: /^https?$/,
      error: 'must be an address such as https://photos.example.com/public',
    })
    .optional(),
  ANALYTICS_MEASUREMENT_ID: z
    .string()
    .regex(/^G-[A-Z0-9]+$/, 'must be an id such as G-AB12CD34EF')
    .optional(),
  ...LIMIT_VARIABLES,
  LOG_LEVEL: z.enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(', ')}`).default('warn'),
})

export interface Config {
  port: number
  host: string
  /** The address that visitors use, without a slash at its end. Undefined: the address of each request. */
  publicUrl: string | undefined
  /** Proxies whose X-Forwarded-For is trusted: addresses and ranges, separated by commas. */
  trustProxy: string
  dataDir: string
  role: 'web' | 'worker' | 'all'
  /** Undefined: a key is created and stored in the data directory. */
  secretKeys: string[] | undefined
  database: { kind: 'embedded' } | { kind: 'url'; url: string }
  storage: { kind: 'disk' } | ({ kind: 's3' } & S3Settings)
  /** The AWS SDK reads the credentials and the region. The settings of an engine that is not configured serve to remove faces
   *  that it still has. */
  faces: {
    kind: EngineName
    /** Similarity (0–100) from which a face is surely of the person; undefined: the engine decides. */
    threshold: number | undefined
    /** Processes of the embedded engine; undefined: see engines.ts. */
    workers: number | undefined
    /** What these processes run on; undefined: the native one if it loads. */
    runtime: RuntimeName | undefined
    /** The address of Amazon Rekognition; undefined: that of the region. */
    endpoint: string | undefined
    /** Photos that Amazon Rekognition takes a second, from all processes together. */
    tps: number
    /** How many processes index photos. */
    photoProcesses: number
  }
  /** Undefined: letters go to the outbox folder, until a Gmail account is authorised. */
  smtpUrl: string | undefined
  /** The sender of letters; undefined: the authorised Gmail account, or a name on this machine. */
  mailFrom: string | undefined
  /** The OAuth client for sending through Gmail. */
  google: { clientId: string; clientSecret: string } | undefined
  maintainerAccess: MaintainerAccess
  /** Ms for which a stopping process still takes requests after it reports that it is not ready. */
  drainDelay: number
  /** A public photo library elsewhere, to which the selfie pages link. */
  photoLibraryUrl: string | undefined
  /** The id of the Google Analytics property that counts downloads. */
  analyticsMeasurementId: string | undefined
  /** What visitors can use up. */
  limits: LimitSettings
  logLevel: string
}

/** All faults of the environment, one line each, with the variable's name. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

/** Reads the environment. An empty variable counts as missing.
 *  @throws ConfigError */
export function loadConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''))
  const parsed = variables.safeParse(given)
  const faults: string[] = []
  if (!parsed.success)
    faults.push(
      ...parsed.error.issues.map(
        ({ path, message }) => `${path.join('.')}: ${message}${butItIs(given, path)}.`,
      ),
    )
  else faults.push(...contradictions(parsed.data))
  if (!parsed.success || faults.length > 0) throw new ConfigError(faults.join('\n'))

  const read = parsed.data
  return {
    port: read.PORT,
    host: read.HOST,
    publicUrl: read.PUBLIC_URL,
    trustProxy: read.TRUST_PROXY,
    dataDir: resolve(read.DATA_DIR),
    role: read.ROLE,
    secretKeys: read.SECRET_KEY,
    database: read.DATABASE_URL ? { kind: 'url', url: read.DATABASE_URL } : { kind: 'embedded' },
    storage: read.S3_BUCKET ? { kind: 's3', ...s3Settings(read, read.S3_BUCKET) } : { kind: 'disk' },
    faces: {
      kind: read.FACES,
      threshold: read.FACE_MATCH_THRESHOLD,
      workers: read.FACE_WORKERS,
      runtime: read.FACE_RUNTIME,
      endpoint: read.REKOGNITION_ENDPOINT,
      tps: read.REKOGNITION_TPS,
      photoProcesses: read.REKOGNITION_WORKERS,
    },
    smtpUrl: read.SMTP_URL,
    mailFrom: read.MAIL_FROM,
    google:
      read.GOOGLE_CLIENT_ID && read.GOOGLE_CLIENT_SECRET
        ? { clientId: read.GOOGLE_CLIENT_ID, clientSecret: read.GOOGLE_CLIENT_SECRET }
        : undefined,
    maintainerAccess: maintainerAccessOf({
      adminToken: read.ADMIN_TOKEN,
      host: read.HOST,
      publicUrl: read.PUBLIC_URL,
      role: read.ROLE,
    }),
    drainDelay: read.DRAIN_DELAY_MS,
    photoLibraryUrl: read.PHOTO_LIBRARY_URL,
    analyticsMeasurementId: read.ANALYTICS_MEASUREMENT_ID,
    limits: limitSettings(read),
    logLevel: read.LOG_LEVEL,
  }
}

function s3Settings(read: z.output<typeof variables>, bucket: string): S3Settings {
  return {
    bucket,
    endpoint: read.S3_ENDPOINT,
    forcePathStyle: read.S3_FORCE_PATH_STYLE,
    // Most stores other than Amazon's accept any region, and prefer this one.
    region: read.AWS_REGION ?? (read.S3_ENDPOINT && 'us-east-1'),
    encryption: read.S3_ENCRYPTION,
  }
}

function contradictions(read: z.output<typeof variables>): string[] {
  const faults: string[] = []
  if (read.DATABASE_URL && !read.SECRET_KEY)
    faults.push('SECRET_KEY: must be set when DATABASE_URL is set, to the same value for every process.')
  if (read.ROLE !== 'all' && !read.DATABASE_URL)
    faults.push(`ROLE: ${read.ROLE} needs a Postgres that the processes share: set DATABASE_URL.`)
  if (read.ROLE === 'worker' && !read.PUBLIC_URL)
    faults.push('PUBLIC_URL: must be set with ROLE=worker, because its letters link to it.')
  if ((read.S3_ENDPOINT || read.S3_ENCRYPTION) && !read.S3_BUCKET)
    faults.push('S3_BUCKET: must be set. Without it the other S3 variables have no effect.')
  if (read.GOOGLE_CLIENT_ID && !read.GOOGLE_CLIENT_SECRET)
    faults.push('GOOGLE_CLIENT_SECRET: must be set when GOOGLE_CLIENT_ID is set.')
  if (read.GOOGLE_CLIENT_SECRET && !read.GOOGLE_CLIENT_ID)
    faults.push('GOOGLE_CLIENT_ID: must be set when GOOGLE_CLIENT_SECRET is set.')
  return faults
}

/** The wrong value in words; empty for a variable that may hold a secret. */
function butItIs(env: Record<string, string | undefined>, path: PropertyKey[]): string {
  const name = String(path[0])
  return /KEY|URL|TOKEN|SECRET/.test(name) ? '' : `, but it is ${JSON.stringify(env[name])}`
}
