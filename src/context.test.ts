import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { loadConfig } from './config.ts'
import { type AppContext, fromConfig } from './context.ts'
import { createLog } from './log.ts'
import { NAMED_AT_START, startLines } from './start-lines.ts'
import { actAs, createBucket, s3Server } from './testing/bucket.ts'
import { createTestDatabase, type TestDatabase } from './testing/database.ts'
import { startFaultProxy } from './testing/fault-proxy.ts'
import { folderOfFile } from './testing/folder-of-file.ts'
import { headerOf, LETTER, startMailServer } from './testing/mail-server.ts'

let database: TestDatabase
const dataDir = await folderOfFile()

beforeEach(async () => {
  database = await createTestDatabase()
})
afterEach(() => database.drop())

async function withContext(
  env: Record<string, string>,
  use: (context: AppContext) => Promise<void>,
): Promise<void> {
  const config = loadConfig({ DATA_DIR: dataDir, FACE_WORKERS: '1', ...env })
  const context = await fromConfig(config, { database: database.address, log: createLog('silent') })
  try {
    await use(context)
  } finally {
    await context.close()
  }
}

describe('letters', () => {
  test('go to the mail server of SMTP_URL, from MAIL_FROM', async () => {
    const server = await startMailServer()
    onTestFinished(() => server.close())
    const SMTP_URL = `smtp://127.0.0.1:${server.port}?ignoreTLS=true`
    await withContext({ SMTP_URL, MAIL_FROM: 'Photos <photos@example.com>' }, async ({ letters, mailer }) => {
      expect(letters).toBe(`letters go to 127.0.0.1:${server.port}`)
      await mailer.send(LETTER)
    })
    expect(server.received.map(({ message }) => headerOf(message, 'From'))).toEqual([
      'Photos <photos@example.com>',
    ])
  })

  test('go through an authorised Gmail account, as the start says', async () => {
    const authorised = { account: 'a@example.com', refresh_token_cipher: Buffer.alloc(1) }
    await database.db.insertInto('mail_authorisation').values(authorised).execute()
    await withContext({ GOOGLE_CLIENT_ID: 'client-1', GOOGLE_CLIENT_SECRET: 'hush' }, async ({ letters }) =>
      expect(letters).toBe('letters go through Gmail'),
    )
  })
})

test('a start with another SECRET_KEY than the last one ends with one line', async () => {
  const [first, second] = ['the first key that is long enough', 'the second key that is long enough']
  await withContext({ SECRET_KEY: first }, async () => {})
  await withContext({ SECRET_KEY: `${second},${first}` }, async () => {})
  await expect(withContext({ SECRET_KEY: second }, async () => {})).rejects.toThrow(/^SECRET_KEY: .*$/)
})

test('a mail server that does not answer is named when Inframe starts', () =>
  withContext({ SMTP_URL: `smtp://127.0.0.1:9` }, async ({ letters, readiness, config: { role } }) => {
    const dependencies = await readiness.dependencies(NAMED_AT_START)
    expect(
      startLines({ role, url: 'http://localhost:3000', letters, dependencies, setupLink: undefined }),
    ).toEqual([
      'Inframe is ready at http://localhost:3000 (letters go to 127.0.0.1:9)',
      'The mail server is currently not accepting the letter (ESOCKET). Until the mail server is available again, letters wait.',
    ])
  }))

describe('a start with photos on S3', () => {
  let env: Record<string, string>
  beforeEach(async () => {
    const { bucket, endpoint } = await createBucket()
    env = { S3_BUCKET: bucket, S3_ENDPOINT: endpoint!, S3_FORCE_PATH_STYLE: 'true' }
  })
  afterEach(() => vi.unstubAllEnvs())

  /** @returns what was logged */
  async function start(changed: Record<string, string> = {}): Promise<object[]> {
    const logged: object[] = []
    const log = createLog('warn', { write: (line) => void logged.push(JSON.parse(line)) })
    const config = loadConfig({ DATA_DIR: dataDir, FACE_WORKERS: '1', ...env, ...changed })
    const context = await fromConfig(config, { database: database.address, log })
    await context.close()
    return logged
  }

  test('says nothing when all is well', async () => {
    expect(await start()).toEqual([])
  })

  test('ends with one line that names the variable that is wrong', async () => {
    await expect(start({ S3_BUCKET: 'missing' })).rejects.toMatchObject({
      name: 'ConfigError',
      message: 'S3_BUCKET: this bucket does not exist (ListObjectsV2: NoSuchBucket).',
    })
    actAs({ ...(await s3Server()).owner, accessKeyId: 'nobody' })
    await expect(start()).rejects.toMatchObject({
      name: 'ConfigError',
      message: expect.stringMatching(/^AWS_ACCESS_KEY_ID: the store does not know this key/),
    })
  })

  test('succeeds while the store is unavailable, with a warning', async () => {
    const proxy = await startFaultProxy(env.S3_ENDPOINT!)
    onTestFinished(() => proxy.close())
    proxy.fault = () => ({ status: 503, body: '<Error><Code>SlowDown</Code></Error>' })
    const message = 'The store answered with an error (ListObjectsV2: 503 SlowDown)'
    expect(await start({ S3_ENDPOINT: proxy.url })).toEqual([
      {
        level: 40,
        time: expect.any(String),
        msg: expect.stringMatching(/^The photo storage is currently unavailable/),
        err: expect.objectContaining({ cause: expect.objectContaining({ message }) }),
      },
    ])
  })
})
