import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { createLog } from '../log.ts'
import { appOfFile } from '../testing/app-of-file.ts'
import { createClient, sampleUploads } from '../testing/client.ts'
import { ACCOUNT, startGoogle } from '../testing/google.ts'
import { startMailServer } from '../testing/mail-server.ts'
import { waitUntil } from '../testing/wait.ts'

const ADMIN_TOKEN = 'a token: with a colon'
const CLIENT = { GOOGLE_CLIENT_ID: 'client-1', GOOGLE_CLIENT_SECRET: 'GOCSPX-hush' }

const google = await startGoogle()
const accepts = (login: { user: string; token?: string }) =>
  login.user === ACCOUNT && google.issued(login.token)
const mailServer = await startMailServer({ secure: true, accepts })
afterAll(async () => {
  await mailServer.close()
  await google.close()
})
const lines: string[] = []
const service = await appOfFile({
  // Nothing listens there: letters go through Gmail.
  env: { ...CLIENT, ADMIN_TOKEN, HOST: '0.0.0.0', SMTP_URL: 'smtp://127.0.0.1:9' },
  log: createLog('trace', { write: (line) => void lines.push(line) }),
  google: {
    endpoints: google.endpoints,
    mailServer: { host: '127.0.0.1', port: mailServer.port, tls: { rejectUnauthorized: false } },
  },
})

const CALLS = [
  { method: 'GET', url: '/api/auth/gmail' },
  { method: 'GET', url: '/api/gmail/auth-url' },
  { method: 'POST', url: '/api/gmail/callback', payload: { code: 'x', state: 'unknown' } },
  { method: 'GET', url: '/trpc/mailSetup.authUrl' },
  { method: 'GET', url: '/trpc/mailSetup.helperAuthUrl' },
  { method: 'POST', url: '/trpc/mailSetup.exchangeCode', payload: { code: 'x', state: 'unknown' } },
] as const

async function statusesFor(headers: Record<string, string> = {}, calls: readonly object[] = CALLS) {
  const answers = await Promise.all(
    calls.map((call) => service.app.inject({ ...call, headers: { host: 'localhost:3000', ...headers } })),
  )
  return answers.map(({ statusCode }) => statusCode)
}
const basic = (password: string, user = 'anyone') => ({
  authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
})
/** A client that has ADMIN_TOKEN. */
const loggedIn = () => createClient(service.url, '', basic(ADMIN_TOKEN))
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

test('all calls are open to the token, and closed to others, also on this machine', async () => {
  // 400, because the code is wrong. The call itself was allowed.
  expect(await statusesFor(bearer(ADMIN_TOKEN))).toEqual([200, 200, 400, 200, 200, 400])
  expect(await statusesFor()).toEqual([401, 401, 401, 401, 401, 401])
})

test('a call with ADMIN_TOKEN is in the audit log, and a call without it is not', async () => {
  const { db } = service.database
  await db.deleteFrom('audit_log').execute()
  await createClient(service.url).get('/api/gmail/auth-url')
  await loggedIn().get('/api/gmail/auth-url')
  const events = await db.selectFrom('audit_log').select(['event', 'role']).execute()
  expect(events).toEqual([{ event: 'maintainer entered', role: 'maintainer' }])
})

describe('a call', () => {
  test.each<[number, string, Record<string, string>]>([
    [200, 'the token without a user name', basic(ADMIN_TOKEN, '')],
    [200, 'the token behind a proxy', { ...basic(ADMIN_TOKEN), 'x-forwarded-for': '192.0.2.7' }],
    [401, 'a part of the token', basic('a token')],
    [401, 'an empty token', basic('')],
    [401, 'the token as a user name', basic('', ADMIN_TOKEN)],
    [401, 'another scheme', { authorization: `Digest ${ADMIN_TOKEN}` }],
    [401, 'a wrong bearer token', bearer(`${ADMIN_TOKEN}!`)],
    [401, 'invalid base64', { authorization: 'Basic %%%' }],
  ])('answers %i to %s', async (status, _who, headers) => {
    expect(await statusesFor(headers, CALLS.slice(0, 1))).toEqual([status])
  })

  test('is closed to the POST of a page of another website, even in a browser on this machine', async () => {
    const post = (url: string, headers: Record<string, string>) =>
      service.app.inject({
        method: 'POST',
        url,
        payload: '{"code":"x"}',
        headers: { host: 'localhost', ...basic(ADMIN_TOKEN), ...headers },
      })
    for (const url of ['/api/gmail/callback', '/trpc/mailSetup.exchangeCode']) {
      expect((await post(url, { 'content-type': 'text/plain' })).statusCode).toBe(415)
      const origin = 'https://evil.example'
      expect((await post(url, { 'content-type': 'application/json', origin })).statusCode).toBe(403)
    }
  })
})

test('setting up Gmail from the address to the first letter, without a restart and without logging a secret', async () => {
  const written: string[] = []
  const stdout = vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
    written.push(String(chunk))
    return true
  })
  onTestFinished(() => stdout.mockRestore())
  google.answers = ({ body }) => Object.assign(body, { refresh_token: '1//refresh-me' })
  const maintainer = loggedIn()

  const { body: helper } = await maintainer.get('/api/auth/gmail')
  const { body: address } = await maintainer.get('/api/gmail/auth-url')
  expect(Object.keys(address).sort()).toEqual(['authUrl', 'redirectUris'])
  expect(address.redirectUris).toEqual([`${service.url}/gmail-oauth`])
  expect(helper.redirectUris).toEqual(address.redirectUris)
  const backTo = await google.allow(address.authUrl)
  expect(backTo).toMatch(`${service.url}/gmail-oauth?`)
  const exchange = await maintainer.post('/api/gmail/callback', { code: backTo })
  expect(exchange).toMatchObject({ status: 200, body: { hasRefreshToken: true } })
  expect(Object.keys(exchange.body)).toEqual(['hasRefreshToken'])

  const owner = createClient(service.url)
  const { ownerKey } = await owner.createAlbum()
  await owner.uploadPhotos(ownerKey, await sampleUploads([1]), { totalIntendedPhotos: 1 })
  const letter = await waitUntil('the letter', async () => mailServer.received[0])
  expect(letter).toMatchObject({ user: ACCOUNT, to: ['owner@example.com'], wasEncrypted: true })
  await waitUntil('the letter to be recorded', async () => {
    const [recorded] = await service.database.db.selectFrom('letters').select('sent_at').execute()
    return recorded?.sent_at
  })
  expect(mailServer.received).toHaveLength(1)

  expect(written.join('').split('1//refresh-me')).toHaveLength(2)
  const sent = google.exchanges.find(({ grant_type }) => grant_type === 'authorization_code')!
  for (const secret of [
    'refresh-me',
    sent.code,
    sent.code_verifier,
    CLIENT.GOOGLE_CLIENT_SECRET,
    ADMIN_TOKEN,
  ])
    expect(lines.join()).not.toContain(secret)
  expect(lines.join()).not.toMatch(/@example/)
})
