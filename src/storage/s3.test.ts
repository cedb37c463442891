import { randomBytes } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createBucket } from '../testing/bucket.ts'
import { describeS3Storage } from '../testing/s3-conformance.ts'
import { STAND_IN_PAGE } from '../testing/s3-stand-in.ts'
import { createS3Storage, type S3Storage } from './s3.ts'
import type { S3Settings } from './s3-client.ts'

const JPEG = 'image/jpeg'

describeS3Storage('the stand-in', { page: STAND_IN_PAGE, checksSignatures: false })

describe('photos on S3', () => {
  let settings: S3Settings
  let storage: S3Storage

  beforeAll(async () => {
    settings = await createBucket()
    storage = await createS3Storage(settings)
    return () => storage.close()
  })
  afterAll(() => vi.unstubAllEnvs())

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
})
