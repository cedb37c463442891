import { randomBytes, randomUUID } from 'node:crypto'
import { access, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ListMultipartUploadsCommand } from '@aws-sdk/client-s3'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, onTestFinished, test } from 'vitest'
import { AppError } from '../errors.ts'
import { actAs, createBucket, letGuestsRead, plainS3 } from '../testing/bucket.ts'
import { type FaultProxy, startFaultProxy } from '../testing/fault-proxy.ts'
import { freePort } from '../testing/process.ts'
import { createS3Storage, type S3Storage } from './s3.ts'
import type { S3Settings } from './s3-client.ts'
import { S3Fault } from './s3-faults.ts'

const JPEG = 'image/jpeg'

let settings: S3Settings
let storage: S3Storage
let proxy: FaultProxy
let throughProxy: S3Storage
let local: string

beforeAll(async () => {
  settings = await createBucket()
  storage = await createS3Storage(settings)
  proxy = await startFaultProxy(settings.endpoint!)
  throughProxy = await createS3Storage(
    { ...settings, endpoint: proxy.url },
    { connect: 2_000, silence: 2_000, whole: 20_000 },
  )
  local = await mkdtemp(join(tmpdir(), 'inframe-s3-'))
})
afterAll(async () => {
  throughProxy.close()
  storage.close()
  await proxy.close()
  await rm(local, { recursive: true })
})
beforeEach(() => {
  proxy.fault = () => undefined
  proxy.seen.length = 0
})

const newKey = () => `albums/${randomUUID()}/original`

async function localFile(bytes: Buffer): Promise<string> {
  const path = join(local, randomUUID())
  await writeFile(path, bytes)
  return path
}

/** The failure of a call as [what a visitor reads, what the maintainer reads, whether a setting is at fault]. */
async function failure(work: Promise<unknown>): Promise<[string, string, boolean]> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(AppError)
  const { code, message, cause } = error as AppError
  expect(code).toBe('SERVICE_UNAVAILABLE')
  expect(cause).toBeInstanceOf(S3Fault)
  return [message, (cause as S3Fault).message, (cause as S3Fault).isSetting]
}

const UNAVAILABLE = 'The photo storage is currently unavailable'

describe('a wrong setting is named to the maintainer, and not to visitors', () => {
  async function check(changed: Partial<S3Settings>) {
    const wrong = await createS3Storage({ ...settings, ...changed })
    onTestFinished(() => wrong.close())
    return await failure(wrong.check())
  }
  const asOwner = () => actAs(inject('swift').owner)

  test('the bucket', async () => {
    expect(await check({ bucket: 'missing' })).toEqual([
      UNAVAILABLE,
      'S3_BUCKET: this bucket does not exist (ListObjectsV2: NoSuchBucket)',
      true,
    ])
    const missing = await createS3Storage({ ...settings, bucket: 'missing' })
    onTestFinished(() => missing.close())
    expect((await failure(missing.read(newKey())))[1]).toMatch(/^S3_BUCKET: this bucket does not exist/)
    expect((await failure(missing.exists(newKey())))[1]).toMatch(/^S3_BUCKET/)
    expect((await failure(missing.write(newKey(), Buffer.from('x'), JPEG)))[1]).toMatch(/^S3_BUCKET/)
    expect((await failure(missing.deleteFolder('albums/1')))[1]).toMatch(/^S3_BUCKET/)
  })

  test('the secret', async () => {
    onTestFinished(asOwner)
    actAs({ ...inject('swift').owner, secretAccessKey: 'a-wrong-secret' })
    expect(await check({})).toEqual([
      UNAVAILABLE,
      'AWS_SECRET_ACCESS_KEY: does not belong to AWS_ACCESS_KEY_ID (ListObjectsV2: SignatureDoesNotMatch)',
      true,
    ])
  })

  test('the key', async () => {
    onTestFinished(asOwner)
    actAs({ accessKeyId: 'inframe:nobody', secretAccessKey: 'anything' })
    const [message, line, isSetting] = await check({})
    expect([message, isSetting]).toEqual([UNAVAILABLE, true])
    expect(line).toMatch(/^AWS_(ACCESS_KEY_ID|SECRET_ACCESS_KEY): /)
  })

  test('the rights', async () => {
    onTestFinished(asOwner)
    actAs(inject('swift').guest)
    expect(await check({})).toEqual([
      UNAVAILABLE,
      'AWS_ACCESS_KEY_ID: the owner of this key is not allowed to do this in the bucket (ListObjectsV2: AccessDenied)',
      true,
    ])
  })

  test('the region', async () => {
    expect(await check({ region: 'eu-central-1' })).toEqual([
      UNAVAILABLE,
      'AWS_REGION: the bucket is in another region (ListObjectsV2: AuthorizationHeaderMalformed)',
      true,
    ])
  })

  test('the endpoint, which may also be unavailable for a while', async () => {
    const endpoint = `http://127.0.0.1:${await freePort()}`
    expect(await check({ endpoint })).toEqual([
      UNAVAILABLE,
      'The store cannot be reached (ListObjectsV2: ECONNREFUSED)',
      false,
    ])
  })
})

test('reports that it was not allowed to delete files, and does not count them as deleted', async () => {
  const folder = `albums/${randomUUID()}`
  for (const name of ['a', 'b']) await storage.write(`${folder}/${name}`, Buffer.from(name), JPEG)
  await letGuestsRead(settings.bucket)
  onTestFinished(() => actAs(inject('swift').owner))
  actAs(inject('swift').guest)
  const reader = await createS3Storage(settings)
  onTestFinished(() => reader.close())
  await reader.check()
  expect(await reader.count(folder)).toBe(2)
  expect(await failure(reader.deleteFolder(folder))).toEqual([
    UNAVAILABLE,
    'AWS_ACCESS_KEY_ID: the owner of this key is not allowed to do this in the bucket (DeleteObjects: 2 files, AccessDenied)',
    true,
  ])
  expect((await failure(reader.delete(`${folder}/a`)))[1]).toMatch(/^AWS_ACCESS_KEY_ID: .*AccessDenied/)
  expect((await failure(reader.write(`${folder}/c`, Buffer.from('c'), JPEG)))[1]).toMatch(/AccessDenied/)
  expect(await storage.count(folder)).toBe(2)
})

describe('a store', () => {
  const broken = { status: 500, body: '<Error><Code>InternalError</Code></Error>' }
  const times = (count: number, fault: ReturnType<FaultProxy['fault']>) => {
    let left = count
    proxy.fault = () => (left-- > 0 ? fault : undefined)
  }

  test('that fails twice is asked a third time', async () => {
    const key = newKey()
    times(2, broken)
    await throughProxy.move(await localFile(Buffer.from('a photo')), key, JPEG)
    expect(proxy.seen).toEqual(Array(3).fill(`PUT /${settings.bucket}/${key}`))
    times(2, broken)
    expect((await throughProxy.read(key)).toString()).toBe('a photo')
  })

  test('that keeps failing is SERVICE_UNAVAILABLE', async () => {
    proxy.fault = () => broken
    expect(await failure(throughProxy.read(newKey()))).toEqual([
      UNAVAILABLE,
      'The store answered with an error (GetObject: 500 InternalError)',
      false,
    ])
    proxy.fault = () => ({ status: 502, body: '<html>Bad gateway</html>' })
    expect((await failure(throughProxy.count('albums/1')))[1]).toMatch(
      /^The store answered with an error .*502/,
    )
  })

  test('that hangs is given up in time, and the file is not lost', async () => {
    proxy.fault = () => 'hang'
    const key = newKey()
    const path = await localFile(Buffer.from('a photo'))
    expect(await failure(throughProxy.move(path, key, JPEG))).toEqual([
      UNAVAILABLE,
      'The store does not answer in time (PutObject)',
      false,
    ])
    await access(path)
    proxy.fault = () => undefined
    await throughProxy.move(path, key, JPEG)
    expect((await storage.read(key)).toString()).toBe('a photo')
  })

  test('that hangs in the middle of a file is given up in time', async () => {
    const key = newKey()
    await storage.write(key, randomBytes(3_000_000), JPEG)
    proxy.fault = () => 'hang in response'
    expect((await failure(throughProxy.read(key)))[1]).toBe('The store does not answer in time (GetObject)')
  })

  test('that breaks off while it sends a file never passes half of it as the whole', async () => {
    const key = newKey()
    await storage.write(key, randomBytes(3_000_000), JPEG)
    proxy.fault = () => 'cut in response'
    expect((await failure(throughProxy.read(key)))[1]).toMatch(/^The store cannot be reached \(GetObject/)
    const { stream } = await throughProxy.open(key)
    await expect(stream.toArray()).rejects.toThrow()
  })

  test('that breaks off while it receives a file does not keep half of it, and accepts it the next time', async () => {
    const key = newKey()
    const bytes = randomBytes(3_000_000)
    const path = await localFile(bytes)
    proxy.fault = () => 'cut in request'
    expect((await failure(throughProxy.move(path, key, JPEG)))[1]).toMatch(/^The store cannot be reached/)
    expect(await storage.exists(key)).toBe(false)
    times(1, 'cut in request')
    await throughProxy.move(path, key, JPEG)
    expect(bytes.equals(await storage.read(key))).toBe(true)
    await expect(access(path)).rejects.toMatchObject({ code: 'ENOENT' })
  })

  test('that breaks off in a part of a large file keeps nothing of it', async () => {
    const key = newKey()
    const path = await localFile(randomBytes(20 * 1024 * 1024))
    proxy.fault = ({ url }) => (url?.includes('partNumber=2') ? 'cut in request' : undefined)
    expect((await failure(throughProxy.move(path, key, JPEG)))[1]).toMatch(/^The store cannot be reached/)
    await access(path)
    expect(await storage.exists(key)).toBe(false)
    const plain = plainS3()
    const { Uploads = [] } = await plain.send(new ListMultipartUploadsCommand({ Bucket: settings.bucket }))
    plain.destroy()
    expect(Uploads).toEqual([])
  })

  test('that breaks off while it deletes is asked again', async () => {
    const folder = `albums/${randomUUID()}`
    await storage.write(`${folder}/a`, Buffer.from('a'), JPEG)
    let left = 2
    proxy.fault = ({ method }) => (method === 'POST' && left-- > 0 ? 'cut in request' : undefined)
    await throughProxy.deleteFolder(folder)
    expect(await storage.count(folder)).toBe(0)
  })
})

test('asks for the configured encryption, and for none when none is configured', async () => {
  const asked: unknown[] = []
  proxy.fault = ({ headers }) => {
    const name = 'x-amz-server-side-encryption'
    asked.push([headers[name], headers[`${name}-aws-kms-key-id`]])
    return { status: 200, body: '' }
  }
  for (const encryption of [undefined, 'AES256', 'aws:kms', 'aws:kms:arn:aws:kms:eu-west-1:1:key/2']) {
    const encrypting = await createS3Storage({ ...settings, endpoint: proxy.url, encryption })
    await encrypting.write(newKey(), Buffer.from('x'), JPEG)
    encrypting.close()
  }
  expect(asked).toEqual([
    [undefined, undefined],
    ['AES256', undefined],
    ['aws:kms', undefined],
    ['aws:kms', 'arn:aws:kms:eu-west-1:1:key/2'],
  ])
})
