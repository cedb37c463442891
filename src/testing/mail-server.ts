import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'
import type { Letter } from '../mail/mailer.ts'

interface ReceivedLetter {
  from: string
  to: string[]
  /** Headers and body, as received. */
  message: string
  /** The user who was logged in. */
  user: string | undefined
  wasEncrypted: boolean
  /** The name with which the sender greeted. */
  greeting: string
}

export type TestMailServer = Awaited<ReturnType<typeof startMailServer>>

type Command = 'CONNECT' | 'AUTH' | 'MAIL' | 'RCPT' | 'DATA'

export interface MailServerOptions {
  /** Speaks TLS from the first byte; otherwise offers it, unless `offersTls` is false. */
  secure?: boolean
  offersTls?: boolean
  /** Whether it accepts no greeting. */
  refusesGreeting?: boolean
  /** Whether this login is correct; without it no login is required. */
  accepts?: (login: { user: string; password?: string; token?: string }) => boolean
}

/** Starts a real SMTP server on this machine, with a self-signed certificate. */
export async function startMailServer({
  secure = false,
  offersTls = true,
  refusesGreeting = false,
  accepts,
}: MailServerOptions = {}) {
  const sockets: Socket[] = []
  const refusal = (at: Command): Error | undefined => {
    const { misbehaves } = server
    if (misbehaves?.at !== at || misbehaves.answer === 'drop') return undefined
    const [, code, words] = /^(\d{3}) (.*)$/s.exec(misbehaves.answer)!
    return Object.assign(new Error(words), { responseCode: Number(code) })
  }
  const smtp = new SMTPServer({
    secure,
    // Otherwise it warns that it uses the certificate of its package.
    logger: false,
    disableReverseLookup: true,
    authOptional: accepts === undefined,
    authMethods: ['PLAIN', 'LOGIN', 'XOAUTH2'],
    allowInsecureAuth: true,
    disabledCommands: [...(offersTls ? [] : ['STARTTLS']), ...(refusesGreeting ? ['EHLO', 'HELO'] : [])],
    onConnect: (_session, done) => done(refusal('CONNECT')),
    onAuth({ method, username: user = '', password, accessToken }, _session, done) {
      const login = { user, ...(password && { password }), ...(accessToken && { token: accessToken }) }
      const refused = refusal('AUTH')
      if (refused) return done(refused)
      if (accepts?.(login)) return done(null, { user })
      // Gmail's answer to a token that it does not accept.
      if (method === 'XOAUTH2') return done(null, { data: { status: '400', schemes: 'Bearer' } })
      done(Object.assign(new Error(`5.7.8 ${user} may not log in`), { responseCode: 535 }))
    },
    onMailFrom: (_address, _session, done) => done(refusal('MAIL')),
    onRcptTo({ address }, _session, done) {
      if (!server.silentFor.has(address)) done(refusal('RCPT'))
    },
    async onData(stream, { envelope, user, secure: wasEncrypted, hostNameAppearsAs: greeting }, done) {
      const message = await text(stream)
      const to = envelope.rcptTo.map(({ address }) => address)
      const from = envelope.mailFrom ? envelope.mailFrom.address : ''
      server.received.push({ from, to, message, user, wasEncrypted, greeting })
      const { misbehaves } = server
      if (misbehaves?.at === 'DATA' && misbehaves.answer === 'drop')
        return void sockets.map((socket) => socket.destroy())
      done(refusal('DATA'))
    },
  })
  smtp.on('error', () => {
    // A test broke off this connection and checks the effect on the client.
  })
  smtp.server.on('connection', (socket: Socket) => sockets.push(socket))
  smtp.listen(0, '127.0.0.1')
  await once(smtp.server, 'listening')

  const server = {
    port: (smtp.server.address() as AddressInfo).port,
    /** Letters whose last byte has arrived. */
    received: [] as ReceivedLetter[],
    /** The number of connections since the start. */
    connections: () => sockets.length,
    /** Addresses for which RCPT gets no answer. */
    silentFor: new Set<string>(),
    /** Gives this answer to this command while it is set; `drop` receives the letter and hangs up. */
    misbehaves: undefined as { at: Command; answer: string | 'drop' } | undefined,
    async close() {
      const closed = new Promise<void>((resolve) => smtp.close(() => resolve()))
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
  return server
}

export const LETTER: Letter = {
  ...{ id: 'round-1', to: 'owner@example.com', subject: 'Your album is ready: Hochzeit 🎉' },
  ...{ text: 'Link: http://localhost/album/wedding\n', html: '<p>Link</p>\n' },
}

/** Why a letter could not be sent. */
export const failureOf = (sending: Promise<void>) =>
  sending.then(
    () => 'sent',
    (error) => error,
  )

/** The value of a header, with its folded lines joined. */
export function headerOf(message: string, name: string): string | undefined {
  const headers = message.slice(0, message.search(/\r?\n\r?\n/)).replaceAll(/\r?\n[ \t]+/g, ' ')
  return new RegExp(`^${name}: (.*)$`, 'im').exec(headers)?.[1]?.trim()
}
