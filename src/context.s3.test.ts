import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, inject, onTestFinished, test } from 'vitest'
import { loadConfig } from './config.ts'
import { createContext } from './context.ts'
import { createLog } from './log.ts'
import { actAs, createBucket } from './testing/bucket.ts'
import { createTestDatabase, type TestDatabase } from './testing/database.ts'
import { startFaultProxy } from './testing/fault-proxy.ts'

let database: TestDatabase
let dataDir: string
let env: { S3_BUCKET: string; S3_ENDPOINT: string; S3_FORCE_PATH_STYLE: string }

beforeEach(async () => {
  const { bucket, endpoint } = await createBucket()
  env = { S3_BUCKET: bucket, S3_ENDPOINT: endpoint!, S3_FORCE_PATH_STYLE: 'true' }
  database = await createTestDatabase()
  dataDir = await mkdtemp(join(tmpdir(), 'inframe-context-'))
})
afterEach(async () => {
  await database.drop()
  await rm(dataDir, { recursive: true })
})

/** @returns what was logged */
async function start(changed: Record<string, string> = {}): Promise<object[]> {
  const logged: object[] = []
  const log = createLog('warn', { write: (line) => void logged.push(JSON.parse(line)) })
  const config = loadConfig({ DATA_DIR: dataDir, FACE_WORKERS: '1', ...env, ...changed })
  const context = await createContext(config, { database: database.address, log })
  await context.close()
  return logged
}

describe('a start with photos on S3', () => {
  test('says nothing when all is well', async () => {
    expect(await start()).toEqual([])
  })

  test('ends with one line that names the variable that is wrong', async () => {
    await expect(start({ S3_BUCKET: 'missing' })).rejects.toMatchObject({
      name: 'ConfigError',
      message: 'S3_BUCKET: this bucket does not exist (ListObjectsV2: NoSuchBucket).',
    })
    onTestFinished(() => actAs(inject('swift').owner))
    actAs({ ...inject('swift').owner, secretAccessKey: 'a-wrong-secret' })
    await expect(start()).rejects.toMatchObject({
      name: 'ConfigError',
      message: expect.stringMatching(/^AWS_SECRET_ACCESS_KEY: does not belong to AWS_ACCESS_KEY_ID/),
    })
  })

  test('succeeds while the store is unavailable, with a warning', async () => {
    const proxy = await startFaultProxy(env.S3_ENDPOINT)
    onTestFinished(() => proxy.close())
    const warning = (message: string) => [
      {
        level: 40,
        time: expect.any(String),
        msg: expect.stringMatching(/^The photo storage is currently unavailable/),
        err: expect.objectContaining({ cause: expect.objectContaining({ message }) }),
      },
    ]
    proxy.fault = () => ({ status: 503, body: '<Error><Code>SlowDown</Code></Error>' })
    expect(await start({ S3_ENDPOINT: proxy.url })).toEqual(
      warning('The store answered with an error (ListObjectsV2: 503 SlowDown)'),
    )
    proxy.fault = () => 'hang'
    expect(await start({ S3_ENDPOINT: proxy.url })).toEqual(
      warning('The store does not answer in time (ListObjectsV2)'),
    )
  })
})
