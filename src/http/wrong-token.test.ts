import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { RATE_LIMITS } from '../albums/rate-limits.ts'
import { startTestApp, type TestApp } from '../testing/app.ts'
import { createClient } from '../testing/client.ts'

const ADMIN_TOKEN = 'the token of the maintainer'
const ALLOWED = 5
const STRANGER = '203.0.113.7'

let service: TestApp
beforeAll(async () => {
  service = await startTestApp({
    work: false,
    env: { ADMIN_TOKEN },
    limits: { ...RATE_LIMITS, wrongSecret: { ...RATE_LIMITS.wrongSecret, calls: ALLOWED } },
  })
})
afterAll(() => service?.close())
beforeEach(async () => {
  await service.database.db.deleteFrom('rate_limits').execute()
})

const caller = (token: string, address: string, url = service.url) =>
  createClient(url, '', { authorization: `Bearer ${token}`, 'x-forwarded-for': address })
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
    for (const address of ['198.51.100.1', STRANGER])
      for (const path of ['/metrics', '/readyz']) expect(await statusOf(ADMIN_TOKEN, address, path)).toBe(200)
    const { body } = await caller(ADMIN_TOKEN, STRANGER).get('/readyz')
    expect(body).toHaveProperty('dependencies')
  })

  test('do not make the process unready for the balancer that sends them', async () => {
    await guess(3 * ALLOWED)
    const { status, body } = await caller('guess', STRANGER).get('/readyz')
    expect({ status, body }).toEqual({ status: 200, body: { ready: true } })
  })

  test('are logged once a minute, without the token and without the address', async () => {
    const other = await startTestApp({ work: false, env: { ADMIN_TOKEN } })
    onTestFinished(() => other.close())
    for (let tries = 0; tries < 3; tries++)
      await caller('guess-what-i-tried', STRANGER, other.url).get('/metrics')
    expect(other.logged).toEqual([
      expect.objectContaining({
        level: 40,
        msg: expect.stringContaining('A caller sent a wrong ADMIN_TOKEN'),
      }),
    ])
    expect(JSON.stringify(other.logged)).not.toMatch(/guess-what|203\.0\.113/)
  })
})

describe('the right ADMIN_TOKEN', () => {
  test('may be sent as often as monitoring needs', async () => {
    for (let scrapes = 0; scrapes < 2 * ALLOWED; scrapes++)
      expect(await statusOf(ADMIN_TOKEN, STRANGER)).toBe(200)
  })
})
