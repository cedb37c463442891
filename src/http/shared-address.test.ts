import { expect, test } from 'vitest'
import { RATE_LIMITS } from '../albums/rate-limits.ts'
import { appOfFile } from '../testing/app-of-file.ts'
import { createClient } from '../testing/client.ts'

const ALLOWED = 3

const { changeAlbum, newAddress } = RATE_LIMITS
const limits = {
  ...RATE_LIMITS,
  changeAlbum: { ...changeAlbum, calls: ALLOWED },
  newAddress: { ...newAddress, calls: ALLOWED },
}
const service = await appOfFile({ work: false, limits })

test.each([
  ['password', {}],
  ['settings', { browsing: 'on' }],
  ['letter-address', { email: 'new@example.com' }],
])(
  'changes of one album, with %s, leave the owner of another behind the same address theirs',
  async (path, change) => {
    const client = createClient(service.url)
    const [{ ownerKey: strangers }, { ownerKey }] = [await client.createAlbum(), await client.createAlbum()]
    const statusOf = async (key: string) => (await client.post(`/api/albums/${key}/${path}`, change)).status
    for (let calls = 0; calls < ALLOWED; calls++) await statusOf(strangers)
    expect([await statusOf(strangers), await statusOf(ownerKey)]).toEqual([429, 200])
  },
)
