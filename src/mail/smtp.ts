import { createTransport } from 'nodemailer'
import { AppError } from '../errors.ts'
import type { Mailer } from './mailer.ts'
import { headersOf, type Sender } from './message.ts'
import { deliveryFailure } from './smtp-faults.ts'

/** In ms. A server may need minutes for a letter (RFC 5321, §4.5.3.2). Shorter timeouts would send a letter twice when
 *  the server still accepts the first one. Longer ones would exceed the ten minutes that a job may take. */
export const SMTP_TIMEOUTS = { connectionTimeout: 30_000, greetingTimeout: 30_000, socketTimeout: 300_000 }

/** A mailer that sends letters to a mail server and keeps its connections open.
 *  @param url such as `smtps://user:password@host:465`, or `smtp:` for encryption by STARTTLS where the server
 *  offers it; nodemailer's options may follow as a query.
 *  @param greeting the name of this machine for the mail server; undefined: its own. `?name=` in the URL replaces it */
export function createSmtp({
  url,
  sender,
  greeting,
}: {
  url: string
  sender: Sender
  greeting?: string | undefined
}): Mailer {
  const name = new URL(url).searchParams.get('name') ?? greeting
  const pool = createTransport({
    pool: true,
    // As many letters are sent at once. With fewer, a slow server of some mailboxes would stop the others.
    maxConnections: 18,
    url,
    ...(name && { name }),
    requireTLS: sendsPasswordToAnotherMachine(new URL(url)),
    ...SMTP_TIMEOUTS,
  })
  return {
    async send(letter) {
      const { text, html } = letter
      try {
        await pool.sendMail({ ...headersOf(letter, sender), text, html })
      } catch (error) {
        throw deliveryFailure(error, loginRefused)
      }
    },
    async check() {
      try {
        await pool.verify()
      } catch (error) {
        throw deliveryFailure(error, loginRefused)
      }
    },
    async close() {
      pool.close()
    },
  }
}

/** Whether a password is sent to another machine. Then encryption is required, because an attacker on the network
 *  can remove the server's offer of STARTTLS and read the password. */
function sendsPasswordToAnotherMachine({ username, hostname }: URL): boolean {
  return username !== '' && !/^(localhost|127\.[\d.]+|\[::1\])$/.test(hostname)
}

function loginRefused(cause: Error): AppError {
  return new AppError(
    'SERVICE_UNAVAILABLE',
    'The mail server refuses the login in SMTP_URL. Letters wait until SMTP_URL is corrected.',
    { cause },
  )
}
