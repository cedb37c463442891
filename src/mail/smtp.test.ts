import { afterEach, describe, expect, onTestFinished, test } from 'vitest'
import { createLog } from '../log.ts'
import {
  failureOf,
  headerOf,
  LETTER,
  type MailServerOptions,
  startMailServer,
  type TestMailServer,
} from '../testing/mail-server.ts'
import type { Mailer } from './mailer.ts'
import { createSmtp } from './smtp.ts'

const FROM = 'Inframe <photos@example.com>'
const SENDER = { from: FROM, domain: 'example.com' }
const GREETING = 'photos.example.com'
/** The test server's certificate is self-signed. */
const TRUSTING = '?tls.rejectUnauthorized=false'

let server: TestMailServer
let mailer: Mailer

async function start(address: (port: number) => string, options: MailServerOptions = {}): Promise<void> {
  server = await startMailServer(options)
  mailer = createSmtp({ url: address(server.port), sender: SENDER, greeting: GREETING })
}
afterEach(async () => {
  await mailer?.close()
  await server?.close()
})

describe('a letter through a mail server', () => {
  test('arrives with its text, its HTML and its sender', async () => {
    await start((port) => `smtp://127.0.0.1:${port}?ignoreTLS=true`)
    await mailer.send(LETTER)
    expect(server.received).toHaveLength(1)
    const { from, to, message } = server.received[0]!
    expect({ from, to }).toEqual({ from: 'photos@example.com', to: ['owner@example.com'] })
    expect(headerOf(message, 'From')).toBe(FROM)
    expect(headerOf(message, 'To')).toBe('owner@example.com')
    expect(headerOf(message, 'Subject')).toMatch(/^=\?UTF-8\?|Hochzeit/)
    expect(message).toMatch(/Content-Type: text\/plain[\s\S]*http:\/\/localhost\/album\/wedding/)
    expect(message).toMatch(/Content-Type: text\/html[\s\S]*<p>Link<\/p>/)
  })

  test.each([
    ['https://photos.example.com/stop-letters?token=abc', 'List-Unsubscribe=One-Click'],
    // RFC 8058 allows no other scheme.
    ['http://localhost:3000/stop-letters?token=abc', undefined],
  ])('says how its recipient ends such letters: %s', async (stopUrl, oneClick) => {
    await start((port) => `smtp://127.0.0.1:${port}?ignoreTLS=true`)
    await mailer.send({ ...LETTER, stopUrl })
    const { message } = server.received[0]!
    expect(headerOf(message, 'List-Unsubscribe')).toBe(`<${stopUrl}>`)
    expect(headerOf(message, 'List-Unsubscribe-Post')).toBe(oneClick)
  })

  test.each([
    ['the name of the site', '', GREETING],
    ['the name in SMTP_URL', '&name=mail.example.org', 'mail.example.org'],
  ])('greets the server with %s', async (_what, query, greeting) => {
    await start((port) => `smtp://127.0.0.1:${port}?ignoreTLS=true${query}`)
    await mailer.send(LETTER)
    expect(server.received).toMatchObject([{ greeting }])
  })

  test('arrives while the server is silent about all that the other queues send', async () => {
    await start((port) => `smtp://127.0.0.1:${port}?ignoreTLS=true`)
    server.silentFor.add('slow@example.com')
    for (let others = 0; others < 17; others++)
      void failureOf(mailer.send({ ...LETTER, to: 'slow@example.com' }))
    await mailer.send(LETTER)
    expect(server.received.map(({ to }) => to)).toEqual([['owner@example.com']])
  })

  test.each([
    ['from the first byte', true, 'smtps'],
    ['when the server offers it', false, 'smtp'],
  ])('is encrypted %s', async (_when, secure, scheme) => {
    await start((port) => `${scheme}://localhost:${port}${TRUSTING}`, { secure })
    await mailer.send(LETTER)
    expect(server.received[0]).toMatchObject({ wasEncrypted: true })
  })

  test('is not sent to a server whose certificate is not trusted', async () => {
    await start((port) => `smtps://localhost:${port}`, { secure: true })
    expect(await failureOf(mailer.send(LETTER))).toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      cause: { message: expect.stringMatching(/self-signed|certificate/) },
    })
    expect(server.received).toEqual([])
  })

  test('logs in with the name and the password in the URL', async () => {
    const accepts: MailServerOptions['accepts'] = ({ user, password }) =>
      user === 'me@example.com' && password === 'p:/@ ss'
    const login = `me%40example.com:${encodeURIComponent('p:/@ ss')}`
    await start((port) => `smtp://${login}@localhost:${port}${TRUSTING}`, { accepts })
    await mailer.send(LETTER)
    expect(server.received[0]).toMatchObject({ user: 'me@example.com', wasEncrypted: true })
  })

  test('never sends a password unencrypted to another machine, even when the server offers no encryption', async () => {
    const seen: unknown[] = []
    const accepts: MailServerOptions['accepts'] = (given) => seen.push(given) > 0
    // This machine, under an address that does not look local.
    const url = (port: number) => `smtp://me:hush@[::ffff:127.0.0.1]:${port}`
    await start(url, { accepts, offersTls: false })
    expect(await failureOf(mailer.send(LETTER))).toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    expect(seen).toEqual([])
  })
})

describe('the check of a mail server', () => {
  const url = (port: number) => `smtp://me:hush@127.0.0.1:${port}${TRUSTING}`

  test('logs in and sends nothing', async () => {
    const seen: unknown[] = []
    await start(url, { accepts: (login) => seen.push(login) > 0 })
    await mailer.check()
    expect(seen).toEqual([{ user: 'me', password: 'hush' }])
    expect(server.received).toEqual([])
  })

  test('says what is wrong, without the password', async () => {
    await start(url, { accepts: () => false })
    const failure = await failureOf(mailer.check())
    expect(failure).toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      message: expect.stringMatching(/refuses the login in SMTP_URL/),
    })
    expect(String(failure.cause)).not.toContain('hush')
    await server.close()
    expect(await failureOf(mailer.check())).toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  })
})

describe('a server that refuses the greeting', () => {
  const url = (port: number) => `smtp://127.0.0.1:${port}?ignoreTLS=true`
  const refused = { code: 'SERVICE_UNAVAILABLE', message: expect.stringMatching(/PUBLIC_URL.*SMTP_URL/) }

  test('is named with what to set', async () => {
    await start(url, { refusesGreeting: true })
    expect(await failureOf(mailer.check())).toMatchObject(refused)
  })

  test('and says so only when it hears the recipient, is no fault of the recipient', async () => {
    await start(url)
    const answer = '550 5.7.1 <photos.example.com>: Helo command rejected: need a fully-qualified hostname'
    server.misbehaves = { at: 'RCPT', answer }
    expect(await failureOf(mailer.send(LETTER))).toMatchObject(refused)
  })
})

describe('a letter that the mail server does not accept', () => {
  const plain = () => start((port) => `smtp://127.0.0.1:${port}?ignoreTLS=true`)

  test.each([
    // They may pass.
    ['SERVICE_UNAVAILABLE', 'RCPT', '450 4.2.0 <owner@example.com>: Greylisted, try again'],
    ['SERVICE_UNAVAILABLE', 'DATA', '452 4.3.1 Insufficient storage'],
    ['SERVICE_UNAVAILABLE', 'CONNECT', '421 4.3.2 Shutting down'],
    ['SERVICE_UNAVAILABLE', 'MAIL', '553 5.7.1 <photos@example.com>: not owned by you'],
    ['SERVICE_UNAVAILABLE', 'MAIL', '550 5.1.0 <photos@example.com>: Sender rejected'],
    ['SERVICE_UNAVAILABLE', 'RCPT', '550 5.1.8 <photos@example.com>: Domain not found'],
    ['SERVICE_UNAVAILABLE', 'RCPT', '554 5.7.1 <owner@example.com>: Relay access denied'],
    ['SERVICE_UNAVAILABLE', 'RCPT', '554 owner@example.com: Relay access denied'],
    ['SERVICE_UNAVAILABLE', 'DATA', '550 5.4.5 Daily user sending quota exceeded'],
    // The recipient is refused permanently.
    [
      'UNPROCESSABLE_CONTENT',
      'RCPT',
      '550 5.1.1 <owner@example.com>: Recipient address rejected: User unknown',
    ],
    ['UNPROCESSABLE_CONTENT', 'DATA', '552 5.2.2 owner@example.com: mailbox full'],
    // There may be another reason than the recipient.
    ['FORBIDDEN', 'RCPT', '550 No such user here: owner@example.com'],
    ['FORBIDDEN', 'RCPT', '553 owner@example.com: mailbox name not allowed'],
    ['FORBIDDEN', 'RCPT', '550 Too many messages from this sender today'],
  ] as const)('fails with %s when %s is answered %s, and can be sent again', async (code, at, answer) => {
    await plain()
    server.misbehaves = { at, answer }
    expect(await failureOf(mailer.send(LETTER))).toMatchObject({ name: 'AppError', code })
    server.misbehaves = undefined
    await mailer.send(LETTER)
  })

  test('waits when the server hangs up after the last byte, and keeps its Message-ID', async () => {
    await plain()
    server.misbehaves = { at: 'DATA', answer: 'drop' }
    expect(await failureOf(mailer.send(LETTER))).toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    server.misbehaves = undefined
    await mailer.send(LETTER)
    const ids = server.received.map(({ message }) => headerOf(message, 'Message-ID'))
    expect(ids).toEqual(['<round-1@example.com>', '<round-1@example.com>'])
  })

  test('waits when no server is listening', async () => {
    // Nothing listens on this port.
    const nobody = createSmtp({ url: 'smtp://127.0.0.1:1', sender: SENDER })
    onTestFinished(() => nobody.close())
    expect(await failureOf(nobody.send(LETTER))).toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      cause: { message: expect.stringMatching(/ECONNREFUSED/) },
    })
  })

  test('leaves the codes in the log, but no address and no password', async () => {
    const address = (port: number) => `smtp://me%40example.com:hush@localhost:${port}${TRUSTING}`
    await start(address, { accepts: () => true })
    const lines: string[] = []
    const log = createLog('trace', { write: (line) => void lines.push(line) })
    for (const [at, code] of [
      ['RCPT', '450 4.2.0'],
      ['RCPT', '550 5.1.1'],
      ['DATA', '554 5.6.0'],
      ['MAIL', '451 4.4.0'],
      ['AUTH', '535 5.7.8'],
    ] as const) {
      server.misbehaves = { at, answer: `${code} <owner@example.com> me@example.com owner hush` }
      // A new connection, and so a new login, each time.
      const once = createSmtp({ url: address(server.port), sender: SENDER })
      log.warn({ err: await failureOf(once.send(LETTER)) }, 'A job failed')
      await once.close()
      expect(lines.at(-1)).toContain(code)
    }
    expect(lines).toHaveLength(5)
    expect(lines.join()).not.toMatch(/@example|owner|hush/)
  })
})
