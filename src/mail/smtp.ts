import { createTransport } from 'nodemailer'
import { AppError } from '../errors.ts'
import type { Mailer } from './mailer.ts'
import { headersOf } from './message.ts'
import { deliveryFailure } from './smtp-faults.ts'

/** A server may take its time over a letter (RFC 5321, §4.5.3.2), and giving up early repeats one that was taken
 *  after all; but a job is taken away after ten minutes. */
export const PATIENCE = { connectionTimeout: 30_000, greetingTimeout: 30_000, socketTimeout: 300_000 }

/** A mailer that hands letters to a mail server over connections that it keeps.
 *  @param url as `smtps://user:password@host:465`, or `smtp:` for a server that is asked to encrypt (STARTTLS);
 *  nodemailer's options may follow as a query.
 *  @param from the sender, as `Name <address>` */
export function createSmtp({ url, from }: { url: string; from: string }): Mailer {
  const pool = createTransport({ pool: true, url, requireTLS: sendsPasswordAway(new URL(url)), ...PATIENCE })
  return {
    async send(letter) {
      const { text, html } = letter
      try {
        await pool.sendMail({ ...headersOf(letter, from), text, html })
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

/** Encryption that a server merely offers can be struck out on the way, and then the password would be read. */
function sendsPasswordAway({ username, hostname }: URL): boolean {
  return username !== '' && !/^(localhost|127\.[\d.]+|\[::1\])$/.test(hostname)
}

function loginRefused(cause: Error): AppError {
  return new AppError(
    'SERVICE_UNAVAILABLE',
    'The mail server refuses the login in SMTP_URL. Letters wait until it is right.',
    { cause },
  )
}
