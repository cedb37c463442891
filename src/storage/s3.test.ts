import { afterEach, expect, test, vi } from 'vitest'
import { createS3Storage } from './s3.ts'

afterEach(() => vi.unstubAllEnvs())

test.each([
  ['Amazon', undefined, 'photos'],
  ['another store', 'https://store.example.com', undefined],
])(
  'names the bucket for other services of Amazon only when it is at Amazon: %s',
  async (_, endpoint, bucket) => {
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIDTEST')
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret')
    const storage = await createS3Storage({
      bucket: 'photos',
      endpoint,
      forcePathStyle: false,
      region: 'us-east-1',
      encryption: undefined,
    })
    expect(storage.bucket).toBe(bucket)
    storage.close()
  },
)
