import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createKeyring } from '../keyring.ts'
import { createLog } from '../log.ts'
import { createTestDatabase } from '../testing/database.ts'
import { ACCOUNT, startGoogle } from '../testing/google.ts'
import { createMailAuthorisation, type MailAuthorisation } from './authorisation.ts'
import { createGoogle } from './google.ts'

const SITE = 'https://photos.example.com'
const CLIENT = { clientId: 'client-1', clientSecret: 'GOCSPX-hush' }
const keyring = createKeyring(['a secret for tests, as long as a real one'])

const database = await createTestDatabase()
const google = await startGoogle()
let printed: string[]
let logged: string[]
let authorisation: MailAuthorisation

afterAll(async () => {
  await google.close()
  await database.drop()
})
beforeEach(async () => {
  printed = []
  logged = []
  google.exchanges.length = 0
  authorisation = await newAuthorisation()
})
afterEach(async () => {
  google.answers = undefined
  await database.db.deleteFrom('mail_authorisation').execute()
  await database.db.deleteFrom('mail_authorisation_requests').execute()
})

async function newAuthorisation(endpoints = google.endpoints): Promise<MailAuthorisation> {
  return createMailAuthorisation({
    db: database.db,
    keyring,
    log: createLog('trace', { write: (line) => void logged.push(line) }),
    google: await createGoogle({ ...CLIENT, endpoints }),
    print: (text) => void printed.push(text),
  })
}

const stored = () => database.db.selectFrom('mail_authorisation').selectAll().execute()
const requests = () => database.db.selectFrom('mail_authorisation_requests').selectAll().execute()
const paramsOf = (address: string) => new URL(address).searchParams
const sha256 = (text: string) => createHash('sha256').update(text).digest()

/** The address that Google sends the browser back to when the maintainer allows everything. */
async function allowed(): Promise<{ address: string; code: string; state: string }> {
  const { authUrl } = await authorisation.begin(SITE)
  const address = await google.allow(authUrl)
  return { address, code: paramsOf(address).get('code')!, state: paramsOf(address).get('state')! }
}

/** Everything that is stored or was logged, as text. */
async function everythingKept(): Promise<string> {
  const bytes = [...(await stored()), ...(await requests())]
  const cells = bytes.flatMap((row) => Object.values(row))
  return [...cells.map((cell) => (Buffer.isBuffer(cell) ? cell.toString('latin1') : cell)), ...logged].join()
}

describe('beginning', () => {
  test('asks Google for permanent permission to send mail, and for the address of the account', async () => {
    const { authUrl, redirectUri } = await authorisation.begin(SITE)
    expect(redirectUri).toBe('https://photos.example.com/gmail-oauth')
    expect(authUrl.split('?')[0]).toBe(google.endpoints.oauth2AuthBaseUrl)
    expect(Object.fromEntries(paramsOf(authUrl))).toMatchObject({
      client_id: 'client-1',
      redirect_uri: redirectUri,
      response_type: 'code',
      access_type: 'offline',
      prompt: 'consent',
      scope: 'https://mail.google.com/ openid email',
      code_challenge_method: 'S256',
    })
  })

  test('needs a Google client, and names the variables', async () => {
    const { db } = database
    const without = createMailAuthorisation({ db, keyring, log: createLog('silent'), google: undefined })
    const missing = { code: 'CONFLICT', message: /GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET/ }
    await expect(without.begin(SITE)).rejects.toMatchObject({
      ...missing,
      message: expect.stringMatching(missing.message),
    })
    await expect(without.complete({ code: 'x' })).rejects.toMatchObject({ code: 'CONFLICT' })
  })
})

describe('the exchange', () => {
  test('sends the verifier of the challenge and the same redirect address', async () => {
    const { authUrl } = await authorisation.begin(SITE)
    const challenge = paramsOf(authUrl).get('code_challenge')!
    const address = await google.allow(authUrl)
    expect(await authorisation.complete({ code: address })).toBe(true)
    const [sent] = google.exchanges
    expect(sent).toMatchObject({
      grant_type: 'authorization_code',
      client_id: 'client-1',
      client_secret: CLIENT.clientSecret,
      redirect_uri: 'https://photos.example.com/gmail-oauth',
    })
    expect(sha256(sent!.code_verifier!).toString('base64url')).toBe(challenge)
  })

  test('stores the refresh token encrypted, and prints it once', async () => {
    google.answers = ({ body }) => Object.assign(body, { refresh_token: '1//refresh-me' })
    expect(await authorisation.complete(await allowed())).toBe(true)
    const [row, ...others] = await stored()
    expect(others).toEqual([])
    expect(row!.account).toBe(ACCOUNT)
    expect(keyring.decrypt('mail-token', row!.refresh_token_cipher, ACCOUNT)).toBe('1//refresh-me')
    expect(printed.join('').split('1//refresh-me')).toHaveLength(2)
    expect(await everythingKept()).not.toContain('refresh-me')
  })

  test('of a code without a state uses the newest request', async () => {
    await authorisation.begin(SITE)
    const { code } = await allowed()
    expect(await authorisation.complete({ code })).toBe(true)
  })

  test('of a code with an unknown state is refused without asking Google', async () => {
    const { code } = await allowed()
    const foreign = authorisation.complete({ code, state: 'somebody else' })
    await expect(foreign).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      message: expect.stringMatching(/15 minutes\. Generate a new address/),
    })
    expect(google.exchanges).toEqual([])
  })

  test('is refused after 15 minutes, with the state and without', async () => {
    const { code, state } = await allowed()
    await database.db
      .updateTable('mail_authorisation_requests')
      .set({ created_at: sql<Date>`now() - interval '15 minutes'` })
      .execute()
    for (const input of [{ code, state }, { code }])
      await expect(authorisation.complete(input)).rejects.toMatchObject({ code: 'BAD_REQUEST' })
    expect(google.exchanges).toEqual([])
  })

  test('works only once for a request', async () => {
    const given = await allowed()
    await authorisation.complete(given)
    expect(await requests()).toEqual([])
    await expect(authorisation.complete(given)).rejects.toMatchObject({ code: 'BAD_REQUEST' })
    expect(google.exchanges).toHaveLength(1)
  })

  test('changes nothing when Google sends no refresh token, and says so on the console', async () => {
    await authorisation.complete(await allowed())
    const before = await stored()
    printed = []
    google.answers = ({ body }) => delete (body as Record<string, unknown>).refresh_token
    expect(await authorisation.complete(await allowed())).toBe(false)
    expect(await stored()).toEqual(before)
    expect(printed).toEqual([expect.stringMatching(/^Google gave no refresh token\. .* try again\.\n$/)])
  })

  test.each([
    ['the right to send mail', { scope: 'openid email' }],
    ['the account', { id_token: undefined }],
    ['a readable account', { id_token: 'a.b.c' }],
  ])('without %s authorises nothing', async (_what, lack) => {
    google.answers = ({ body }) => Object.assign(body, lack)
    await expect(authorisation.complete(await allowed())).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      message: expect.stringMatching(/allow everything that Google asks for/),
    })
    expect(await stored()).toEqual([])
    expect(printed).toEqual([])
  })
})

describe("Google's refusal of a code", () => {
  const refusing = (statusCode: number, error: string) => {
    google.answers = (response) => {
      response.statusCode = statusCode
      response.body = { error, error_description: `Bad code ${google.exchanges[0]!.code}` }
    }
  }

  test.each([
    [400, 'invalid_grant', 'BAD_REQUEST', /wrong, expired or already used/],
    [400, 'redirect_uri_mismatch', 'BAD_REQUEST', /Register it with the OAuth client/],
    [400, 'invalid_request', 'BAD_REQUEST', /\(invalid_request\)/],
    [400, '<script>', 'BAD_REQUEST', /\(status 400\)/],
    [401, 'invalid_client', 'SERVICE_UNAVAILABLE', /GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET/],
    [429, 'rate_limited', 'SERVICE_UNAVAILABLE', /currently unavailable/],
    [503, 'backend_error', 'SERVICE_UNAVAILABLE', /currently unavailable/],
  ])('%i %s becomes a clear message that contains no secret', async (status, error, code, message) => {
    const given = await allowed()
    refusing(status, error)
    const failure = await authorisation.complete(given).catch((thrown) => thrown)
    expect(failure).toMatchObject({ code, message: expect.stringMatching(message) })
    createLog('warn', { write: (line) => void logged.push(line) }).warn({ err: failure })
    const [{ code_verifier: verifier }] = google.exchanges as [{ code_verifier: string }]
    for (const secret of [given.code, given.state, verifier, CLIENT.clientSecret])
      expect(logged.join() + failure.message).not.toContain(secret)
    // One attempt only: the maintainer waits for the answer and can click again.
    expect(google.exchanges).toHaveLength(1)
  })
})
