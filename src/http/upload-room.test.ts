import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, onTestFinished, test } from 'vitest'
import { startTestApp } from '../testing/app.ts'
import { bytesIn } from '../testing/bytes-in.ts'
import { createClient } from '../testing/client.ts'
import { sendPost } from '../testing/pipelined.ts'
import { waitUntil } from '../testing/wait.ts'
import { buildApp } from './app.ts'
import { LIMITS } from './limits.ts'
import { createStaging } from './staging.ts'
import { createStagingBudget } from './staging-budget.ts'

const ROOM = 1_000_000
/** Two of them are almost half of the room. */
const UNFINISHED = 249_000
const HEAD = '--x\r\ncontent-disposition: form-data; name="photos"; filename="a.jpg"\r\n\r\n'

test('uploads of one network that stall are not in the way of others, and need not give way', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'inframe-room-'))
  onTestFinished(() => rm(folder, { recursive: true, maxRetries: 10 }))
  const service = await startTestApp({ work: false })
  onTestFinished(() => service.close())
  const { services } = service.context
  const budget = createStagingBudget(ROOM)
  const staging = await createStaging(folder, { exclusive: true, budget, freeDisk: services.freeDisk })
  const app = await buildApp({ ...services, staging }, LIMITS)
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  onTestFinished(() => app.close())

  const address = '203.0.113.10'
  for (const name of ['One', 'Two']) {
    const { ownerKey } = await createClient(url).createAlbum(name)
    const path = `/api/albums/${ownerKey}/upload-photos`
    const type = 'multipart/form-data; boundary=x'
    const body = HEAD + 'x'.repeat(UNFINISHED)
    const upload = await sendPost(url, { address, path, length: ROOM, body, type })
    onTestFinished(upload.hangUp)
  }
  // A parser keeps the last bytes, which may be the beginning of a boundary.
  const held = 2 * (UNFINISHED - 1_000)
  await waitUntil('both uploads', async () => (await bytesIn(folder)) > held)
  const owner = createClient(url, '', { 'x-forwarded-for': '203.0.113.11' })
  const { ownerKey } = await owner.createAlbum('Honest')
  const raw = { width: 200, height: 200, channels: 3 } as const
  const bytes = await sharp(randomBytes(200 * 200 * 3), { raw })
    .png()
    .toBuffer()
  const { body } = await owner.uploadPhotos(ownerKey, [{ name: 'photo.png', bytes }])
  expect(body).toMatchObject({ successful: 1 })
  expect(await bytesIn(folder)).toBeGreaterThan(held)
})
