import { afterAll, beforeAll, expect, test } from 'vitest'
import { RATE_LIMITS } from '../albums/rate-limits.ts'
import { startTestApp, type TestApp } from '../testing/app.ts'
import { createClient } from '../testing/client.ts'

const ALLOWED = 3

const few = <T>(limit: T) => ({ ...limit, calls: ALLOWED })
const { changeAlbum, newAddress } = RATE_LIMITS

let service: TestApp
beforeAll(async () => {
  service = await startTestApp({
    work: false,
    limits: {
      ...RATE_LIMITS,
      changeAlbum: few(changeAlbum),
      newAddress: few(newAddress),
    },
  })
})
afterAll(() => service?.close())

test.each([
  { path: 'password', change: {} },
  { path: 'settings', change: { browsing: 'on' } },
  { path: 'letter-address', change: { email: 'new@example.com' } },
])(
  'changes of one album, with $path, do not keep the owner of another behind the same address from theirs',
  async ({ path, change }) => {
    const [stranger, owner] = [createClient(service.url), createClient(service.url)]
    const { ownerKey: strangers } = await stranger.createAlbum('Strangers')
    const { ownerKey } = await owner.createAlbum('Wedding')
    const post = (client: typeof owner, key: string) => client.post(`/api/albums/${key}/${path}`, change)
    const statuses: number[] = []
    for (let calls = 0; calls <= ALLOWED; calls++) statuses.push((await post(stranger, strangers)).status)
    expect(statuses.at(-1)).toBe(429)
    expect((await post(owner, ownerKey)).status).toBe(200)
  },
)
