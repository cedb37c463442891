import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createKeyring } from '../keyring.ts'
import { createLog } from '../log.ts'
import { createTestDatabase } from '../testing/database.ts'
import { folderOfFile } from '../testing/folder-of-file.ts'
import { ACCOUNT, startGoogle } from '../testing/google.ts'
import { failureOf, headerOf, LETTER, startMailServer } from '../testing/mail-server.ts'
import { createMailAuthorisation, type MailAuthorisation } from './authorisation.ts'
import { createGmail } from './gmail.ts'
import { createGoogle } from './google.ts'
import type { Mailer } from './mailer.ts'
import { createOutbox } from './outbox.ts'

const keyring = createKeyring(['a secret for tests, as long as a real one'])

const database = await createTestDatabase()
const google = await startGoogle()
let takesTokens: boolean
const server = await startMailServer({
  secure: true,
  accepts: ({ user, token }) => takesTokens && user === ACCOUNT && google.issued(token),
})
const parent = await folderOfFile()
let folder: string
let logged: string[]
let authorisation: MailAuthorisation
let mailer: Mailer

afterAll(async () => {
  await server.close()
  await google.close()
  await database.drop()
})
beforeEach(async () => {
  folder = join(parent, crypto.randomUUID())
  logged = []
  takesTokens = true
  google.exchanges.length = 0
  server.received.length = 0
  ;({ authorisation, mailer } = await newMailer())
})
afterEach(async () => {
  await mailer.close()
  google.answers = undefined
  server.misbehaves = undefined
  await database.db.deleteFrom('mail_authorisation').execute()
})

async function newMailer({ from, hasClient = true }: { from?: string; hasClient?: boolean } = {}) {
  const client = await createGoogle({
    clientId: 'client-1',
    clientSecret: 'hush',
    endpoints: google.endpoints,
  })
  const authorisation = createMailAuthorisation({
    db: database.db,
    keyring,
    log: createLog('trace', { write: (line) => void logged.push(line) }),
    google: hasClient ? client : undefined,
    print: () => {},
  })
  const mailer = createGmail({
    authorisation,
    from,
    domain: 'photos.example.com',
    otherwise: await createOutbox({ folder, sender: { from: 'inframe@localhost', domain: 'localhost' } }),
    server: { host: '127.0.0.1', port: server.port, tls: { rejectUnauthorized: false } },
  })
  return { authorisation, mailer }
}

async function authorise(): Promise<void> {
  const { authUrl } = await authorisation.begin('https://photos.example.com')
  expect(await authorisation.complete({ code: await google.allow(authUrl) })).toBe(true)
}

const inOutbox = () => readdir(folder)
const AUTHORISE_AGAIN = /authorises the account again at \/gmail-oauth/

describe('a letter through Gmail', () => {
  test('goes to the outbox until an account is authorised, and from then on through Gmail', async () => {
    await mailer.send(LETTER)
    expect(await inOutbox()).toEqual(['round-1.eml'])
    await authorise()
    await mailer.send({ ...LETTER, id: 'round-2' })
    expect(await inOutbox()).toEqual(['round-1.eml'])
    expect(server.received).toHaveLength(1)
    expect(server.received[0]).toMatchObject({ to: ['owner@example.com'], user: ACCOUNT, wasEncrypted: true })
    expect(headerOf(server.received[0]!.message, 'Message-ID')).toBe('<round-2@photos.example.com>')
  })

  test('comes from the authorised account, or from the sender in MAIL_FROM', async () => {
    await authorise()
    await mailer.send(LETTER)
    await (await newMailer({ from: 'Photos <photos@example.com>' })).mailer.send(LETTER)
    expect(server.received.map(({ message }) => headerOf(message, 'From'))).toEqual([
      `Inframe <${ACCOUNT}>`,
      'Photos <photos@example.com>',
    ])
  })

  test('goes to the outbox with a warning when an account is authorised but the variables are missing', async () => {
    await authorise()
    await (await newMailer({ hasClient: false })).mailer.send(LETTER)
    expect(await inOutbox()).toEqual(['round-1.eml'])
    expect(server.received).toEqual([])
    expect(logged.join()).toMatch(/GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET are not set/)
  })
})

test('the check logs in to Gmail and sends nothing', async () => {
  await mailer.check()
  takesTokens = false
  await mailer.check()
  await authorise()
  expect(await failureOf(mailer.check())).toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
    message: expect.stringMatching(AUTHORISE_AGAIN),
  })
  takesTokens = true
  await mailer.check()
  expect(server.received).toEqual([])
})

describe('a letter that Gmail does not accept', () => {
  const refusing = (statusCode: number, error: string) => {
    google.answers = (response) => Object.assign(response, { statusCode, body: { error } })
  }

  test('waits when the authorisation was revoked, and is sent when it is renewed', async () => {
    await authorise()
    refusing(400, 'invalid_grant')
    expect(await failureOf(mailer.send(LETTER))).toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      message: expect.stringMatching(AUTHORISE_AGAIN),
    })
    expect(await inOutbox()).toEqual([])
    google.answers = undefined
    await authorise()
    await mailer.send(LETTER)
    expect(server.received).toHaveLength(1)
  })

  test('waits when Google is unavailable or Gmail sees too many logins, without asking for a new authorisation', async () => {
    await authorise()
    const busy = async () => {
      const failure = await failureOf(mailer.send(LETTER))
      expect(failure).toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
      expect(failure.message).not.toMatch(AUTHORISE_AGAIN)
    }
    server.misbehaves = { at: 'AUTH', answer: '454 4.7.0 Too many login attempts' }
    await busy()
    server.misbehaves = undefined
    refusing(503, 'backend_error')
    await busy()
  })

  test('leaves neither a token nor an address in the log', async () => {
    google.answers = ({ body }) => Object.assign(body, { refresh_token: '1//refresh-me' })
    await authorise()
    const failures: unknown[] = []
    google.answers = ({ body }) => Object.assign(body, { access_token: 'ya29.access-me' })
    server.misbehaves = { at: 'AUTH', answer: `535 5.7.8 ${ACCOUNT} ya29.access-me` }
    failures.push(await failureOf(mailer.send(LETTER)))
    server.misbehaves = { at: 'RCPT', answer: '450 4.2.1 <owner@example.com> is busy' }
    failures.push(await failureOf(mailer.send(LETTER)))
    refusing(400, 'invalid_grant')
    failures.push(await failureOf(mailer.send(LETTER)))
    const log = createLog('trace', { write: (line) => void logged.push(line) })
    for (const failure of failures) log.warn({ err: failure }, 'A job failed')
    expect(logged).toHaveLength(3)
    expect(logged.join()).not.toMatch(/@example|refresh-me|access-me|hush/)
  })
})
