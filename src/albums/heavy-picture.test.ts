import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLog } from '../log.ts'
import { createDecoders, type Decoders } from '../photos/decoders.ts'
import { createTestDomain, type TestDomain } from '../testing/domain.ts'
import { samplePath } from '../testing/sample-photos.ts'
import { uploadBatch } from './upload.ts'

const REASON = 'The photo takes too much memory to process. Please save it again as a normal JPEG'

let domain: TestDomain
/** They have enough memory for a sample photo. */
let decoders: Decoders
beforeAll(async () => {
  domain = await createTestDomain()
  decoders = createDecoders({
    log: createLog('silent'),
    limits: { timeLimit: 60_000, memoryLimit: 150_000_000 },
  })
})
afterAll(async () => {
  await decoders.close()
  await domain.close()
})

test('a photo that takes too much to decode is refused with its reason, and the rest of its batch is kept', async () => {
  const album = await domain.newAlbum()
  const heavy = await sharp({ create: { width: 5_000, height: 5_000, channels: 3, background: '#789' } })
    .jpeg({ progressive: true, chromaSubsampling: '4:4:4' })
    .toBuffer()
  const files = [await domain.stage(heavy, 'heavy.jpg'), await domain.stage(samplePath(1))]
  const result = await uploadBatch({ ...domain, decoders }, album, { totalIntendedPhotos: 2 }, files)
  expect(result).toMatchObject({
    successful: 1,
    failed: 1,
    files: [
      { filename: 'heavy.jpg', status: 'refused', message: REASON },
      { filename: 'sample1.jpg', status: 'stored' },
    ],
  })
  const refused = await domain.db.selectFrom('refused_files').select(['filename', 'reason']).execute()
  expect(refused).toEqual([{ filename: 'heavy.jpg', reason: REASON }])
})
