import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { SETUP_SECONDS } from '../admin/setup-link.ts'
import { createMaintainerCheck } from '../api/maintainer.ts'
import { appOfFile } from '../testing/app-of-file.ts'
import { createClient, type TestClient } from '../testing/client.ts'
import { maintainerOf, newSetupLink } from '../testing/maintainer.ts'
import { buildApp } from './app.ts'

const CLIENT = { GOOGLE_CLIENT_ID: 'client-1', GOOGLE_CLIENT_SECRET: 'GOCSPX-hush' }

const service = await appOfFile({ work: false, env: CLIENT })

const open = (client: TestClient, token: string) => client.post('/trpc/mailSetup.openSetupLink', { token })
const setUpStatus = async (client: TestClient) => (await client.get('/api/gmail/auth-url')).status

describe('a set-up link', () => {
  test("gives one session the maintainer's rights", async () => {
    const { token } = await newSetupLink(service)
    const [browser, another] = [createClient(service.url), createClient(service.url)]
    expect((await open(browser, token)).status).toBe(200)
    for (const path of ['/api/gmail/auth-url', '/api/auth/gmail', '/metrics'])
      expect((await browser.get(path)).status).toBe(200)
    expect((await browser.get('/readyz')).body.dependencies.database.ok).toBe(true)
    expect(await setUpStatus(another)).toBe(401)
  })

  test('works once: in another browser it is used up, in the same browser it may be opened again', async () => {
    const { token } = await newSetupLink(service)
    const rows = await service.database.db.selectFrom('setup_links').select('token_hash').execute()
    expect(rows.some(({ token_hash }) => token_hash.toString().includes(token))).toBe(false)
    const browsers = Array.from({ length: 8 }, () => createClient(service.url))
    const statuses = await Promise.all(browsers.map(async (browser) => (await open(browser, token)).status))
    expect(statuses.toSorted()).toEqual([200, ...Array(7).fill(401)])
    const browser = browsers[statuses.indexOf(200)]!
    const another = browsers[statuses.indexOf(401)]!
    const second = await open(another, token)
    expect(second.status).toBe(401)
    expect(second.body.error.message).toMatch(
      /already used, or it is more than a day old.*npm run setup-link/,
    )
    expect(await setUpStatus(another)).toBe(401)
    expect((await open(browser, token)).status).toBe(200)
  })

  test('gives rights that end with a log-out of everything, also for copies of the cookie, also for monitoring', async () => {
    const { token } = await newSetupLink(service)
    const browser = createClient(service.url)
    await open(browser, token)
    const copy = createClient(service.url, browser.cookie())
    expect((await browser.post('/api/log-out', {})).body).toEqual({ albumsLeft: 0 })
    expect(browser.cookie()).toBe('inframe=')
    for (const client of [browser, copy]) {
      for (const path of ['/api/gmail/auth-url', '/metrics'])
        expect([path, (await client.get(path)).status]).toEqual([path, 401])
      expect((await client.get('/readyz')).body).toEqual({ ready: true })
    }
  })

  test('expires after a day, and the next one removes it', async () => {
    const { token } = await newSetupLink(service)
    const created_at = new Date(Date.now() - SETUP_SECONDS * 1000)
    await service.database.db.updateTable('setup_links').set({ created_at }).execute()
    const late = createClient(service.url)
    expect((await open(late, token)).status).toBe(401)
    await newSetupLink(service)
    expect(await service.database.db.selectFrom('setup_links').select('token_hash').execute()).toHaveLength(1)
  })

  test('is in the audit log when it was opened, once', async () => {
    const { db } = service.database
    await db.deleteFrom('audit_log').execute()
    const { token } = await newSetupLink(service)
    const browser = createClient(service.url)
    for (let times = 0; times < 2; times++) await open(browser, token)
    await setUpStatus(browser)
    const events = await db.selectFrom('audit_log').select(['event', 'role', 'album_id']).execute()
    expect(events).toEqual([{ event: 'maintainer entered', role: 'maintainer', album_id: null }])
  })
})

describe('the session that a set-up link opened', () => {
  test("has the maintainer's rights for a day", async () => {
    const maintainer = await maintainerOf(service)
    const now = Date.now()
    vi.spyOn(Date, 'now').mockImplementation(() => now + SETUP_SECONDS * 1000 - 60_000)
    onTestFinished(() => void vi.restoreAllMocks())
    expect(await setUpStatus(maintainer)).toBe(200)
    vi.spyOn(Date, 'now').mockImplementation(() => now + SETUP_SECONDS * 1000 + 1)
    expect(await setUpStatus(maintainer)).toBe(401)
  })

  test.each([{ kind: 'token', token: 'the token of the maintainer' }, { kind: 'none' }] as const)(
    'has no rights, and no link opens one, once maintainers identify by %o',
    async (access) => {
      const maintainer = await maintainerOf(service)
      const { token } = await newSetupLink(service)
      const maintainers = createMaintainerCheck(access, service.context)
      const later = await buildApp({ ...service.context, maintainers })
      onTestFinished(() => later.close())
      const returning = createClient(await later.listen({ host: '127.0.0.1', port: 0 }), maintainer.cookie())
      expect(await setUpStatus(returning)).toBe(401)
      expect((await open(returning, token)).status).toBe(401)
      expect(await setUpStatus(returning)).toBe(401)
    },
  )
})
