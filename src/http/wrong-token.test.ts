import { beforeEach, describe, expect, test } from 'vitest'
import { RATE_LIMITS } from '../albums/rate-limits.ts'
import { appOfFile } from '../testing/app-of-file.ts'
import { createClient } from '../testing/client.ts'

const ADMIN_TOKEN = 'the token of the maintainer'
const ALLOWED = 5
const STRANGER = '203.0.113.7'

const service = await appOfFile({
  work: false,
  env: { ADMIN_TOKEN },
  limits: { ...RATE_LIMITS, wrongSecret: { ...RATE_LIMITS.wrongSecret, calls: ALLOWED } },
})
beforeEach(async () => {
  await service.database.db.deleteFrom('rate_limits').execute()
})

const caller = (token: string, address: string) =>
  createClient(service.url, '', { authorization: `Bearer ${token}`, 'x-forwarded-for': address })
const statusOf = async (token: string, address: string, path = '/metrics') =>
  (await caller(token, address).get(path)).status
const guess = (times: number, path?: string) =>
  Promise.all(Array.from({ length: times }, (_, index) => statusOf(`guess ${index}`, STRANGER, path)))

describe('wrong values of ADMIN_TOKEN', () => {
  test.each(['/metrics', '/api/gmail/auth-url'])('are limited at %s, even all at once', async (path) => {
    const statuses = await guess(3 * ALLOWED, path)
    expect(statuses.filter((status) => status === 401)).toHaveLength(ALLOWED)
    expect(statuses.filter((status) => status === 429)).toHaveLength(2 * ALLOWED)
  })

  test('do not affect the maintainer, not even at the same address', async () => {
    await guess(3 * ALLOWED)
    // A balancer that sends a wrong one still learns that the process is ready.
    expect((await caller('guess', STRANGER).get('/readyz')).body).toEqual({ ready: true })
    for (const address of ['198.51.100.1', STRANGER])
      for (const path of ['/metrics', '/readyz']) expect(await statusOf(ADMIN_TOKEN, address, path)).toBe(200)
  })

  test('are logged once a minute, without the token and without the address', async () => {
    for (let tries = 0; tries < 3; tries++) await caller('guess-what-i-tried', STRANGER).get('/metrics')
    expect(service.logged).toEqual([
      expect.objectContaining({
        level: 40,
        msg: expect.stringContaining('A caller sent a wrong ADMIN_TOKEN'),
      }),
    ])
    expect(JSON.stringify(service.logged)).not.toMatch(/guess-what|203\.0\.113/)
  })
})
