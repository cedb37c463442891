import { randomBytes, randomUUID } from 'node:crypto'
import { access, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { createBucket } from '../testing/bucket.ts'
import { type FaultProxy, startFaultProxy } from '../testing/fault-proxy.ts'
import { folderOfFile } from '../testing/folder-of-file.ts'
import { describeS3Storage, s3Failure, UNAVAILABLE } from '../testing/s3-conformance.ts'
import { STAND_IN_PAGE } from '../testing/s3-stand-in.ts'
import { createS3Storage, type S3Storage } from './s3.ts'
import type { S3_TIMEOUTS, S3Settings } from './s3-client.ts'

const JPEG = 'image/jpeg'

describeS3Storage('the stand-in', { page: STAND_IN_PAGE, checksSignatures: false })

const local = await folderOfFile()

describe('photos on S3', () => {
  let settings: S3Settings
  let storage: S3Storage
  let proxy: FaultProxy
  let throughProxy: S3Storage

  beforeAll(async () => {
    settings = await createBucket()
    storage = await createS3Storage(settings)
    proxy = await startFaultProxy(settings.endpoint!)
    throughProxy = await createS3Storage({ ...settings, endpoint: proxy.url })
  })
  afterAll(async () => {
    throughProxy.close()
    storage.close()
    await proxy.close()
    vi.unstubAllEnvs()
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

  /** A storage that has only these limits of time. */
  async function impatient(timeouts: Partial<typeof S3_TIMEOUTS>): Promise<S3Storage> {
    const never = { connect: 600_000, silence: 600_000, whole: 600_000, check: 600_000 }
    const made = await createS3Storage({ ...settings, endpoint: proxy.url }, { ...never, ...timeouts })
    onTestFinished(() => made.close())
    return made
  }

  test.each([
    ['Amazon', undefined, 'photos'],
    ['another store', 'https://store.example.com', undefined],
  ])('have a bucket for other services of Amazon only at Amazon: %s', async (_, endpoint, bucket) => {
    const storage = await createS3Storage({ ...settings, bucket: 'photos', endpoint })
    expect(storage.bucket).toBe(bucket)
    storage.close()
  })

  test('keep a signed address for a while, so that browsers can cache the file', async () => {
    const start = 1_800_000_000_000
    const headers = { mediaType: JPEG, disposition: 'inline', cacheControl: 'private' }
    const [first, soon, later] = await Promise.all(
      [start, start + 149_999, start + 150_000].map((now) => storage.direct.sign('albums/1/a', headers, now)),
    )
    expect(soon).toBe(first)
    expect(later).not.toBe(first)
  })

  test('close the connection of a file that is not read to its end', async () => {
    const key = 'albums/1/original'
    await storage.write(key, randomBytes(5_000_000), JPEG)
    const { stream } = await storage.open(key)
    const { socket } = stream as unknown as { socket: NodeJS.EventEmitter & { destroyed: boolean } }
    for await (const _ of stream) break
    expect(socket.destroyed).toBe(true)
    expect(await buffer((await storage.open(key)).stream)).toHaveLength(5_000_000)
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
      expect(await s3Failure(throughProxy.read(newKey()))).toEqual([
        UNAVAILABLE,
        'The store answered with an error (GetObject: 500 InternalError)',
        false,
      ])
      proxy.fault = () => ({ status: 502, body: '<html>Bad gateway</html>' })
      expect((await s3Failure(throughProxy.count('albums/1')))[1]).toMatch(
        /^The store answered with an error .*502/,
      )
    })

    test.each([{ silence: 200 }, { whole: 200 }])(
      'that hangs is given up in time, and the file is not lost: %o',
      async (timeouts) => {
        proxy.fault = () => 'hang'
        const key = newKey()
        const path = await localFile(Buffer.from('a photo'))
        const work = (await impatient(timeouts)).move(path, key, JPEG)
        expect(await s3Failure(work)).toEqual([
          UNAVAILABLE,
          'The store does not answer in time (PutObject)',
          false,
        ])
        proxy.fault = () => undefined
        await throughProxy.move(path, key, JPEG)
        expect((await storage.read(key)).toString()).toBe('a photo')
      },
    )

    test('that hangs does not keep a start waiting', async () => {
      proxy.fault = () => 'hang'
      const [, line] = await s3Failure((await impatient({ check: 200 })).check())
      expect(line).toBe('The store does not answer in time (ListObjectsV2)')
    })

    test('that hangs in the middle of a file is given up in time', async () => {
      const key = newKey()
      await storage.write(key, randomBytes(3_000_000), JPEG)
      proxy.fault = () => 'hang in response'
      const [, line] = await s3Failure((await impatient({ silence: 200 })).read(key))
      expect(line).toBe('The store does not answer in time (GetObject)')
    })

    test('that breaks off while it sends a file never passes half of it as the whole', async () => {
      const key = newKey()
      await storage.write(key, randomBytes(3_000_000), JPEG)
      proxy.fault = () => 'cut in response'
      expect((await s3Failure(throughProxy.read(key)))[1]).toMatch(/^The store cannot be reached \(GetObject/)
      const { stream } = await throughProxy.open(key)
      await expect(stream.toArray()).rejects.toThrow()
    })

    test('that breaks off while it receives a file does not keep half of it, and accepts it the next time', async () => {
      const key = newKey()
      const bytes = randomBytes(3_000_000)
      const path = await localFile(bytes)
      proxy.fault = () => 'cut in request'
      expect((await s3Failure(throughProxy.move(path, key, JPEG)))[1]).toMatch(/^The store cannot be reached/)
      expect(await storage.exists(key)).toBe(false)
      times(1, 'cut in request')
      await throughProxy.move(path, key, JPEG)
      expect(bytes.equals(await storage.read(key))).toBe(true)
      await expect(access(path)).rejects.toMatchObject({ code: 'ENOENT' })
    })
  })

  test.each([
    ['501', { status: 501, body: '' }],
    ['400 NotImplemented, as Google', { status: 400, body: '<Error><Code>NotImplemented</Code></Error>' }],
  ])(
    'a store that answers %s when several files are to be deleted in one call deletes them one by one',
    async (_, fault) => {
      const plain = await createS3Storage({ ...settings, endpoint: proxy.url })
      onTestFinished(() => plain.close())
      proxy.fault = ({ url, method }) => {
        if (method === 'POST' && url?.includes('?delete')) return fault
        if (method === 'DELETE' && url?.endsWith('/nothing'))
          return { status: 404, body: '<Error><Code>NoSuchKey</Code></Error>' }
      }
      const folder = `albums/${randomUUID()}`
      for (const name of ['a', 'b', 'c']) await storage.write(`${folder}/${name}`, Buffer.from(name), JPEG)
      await plain.check()
      expect(await plain.deleteFolder(folder)).toBe(true)
      expect(await plain.count(folder)).toBe(0)
      expect(proxy.seen.filter((call) => call.startsWith('POST'))).toHaveLength(1)
    },
  )

  test('a wrong secret is named to the maintainer', async () => {
    proxy.fault = () => ({ status: 403, body: '<Error><Code>SignatureDoesNotMatch</Code></Error>' })
    const [, line, isSetting] = await s3Failure(throughProxy.read(newKey()))
    expect([line, isSetting]).toEqual([
      expect.stringMatching(/^AWS_SECRET_ACCESS_KEY: does not belong/),
      true,
    ])
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
})
