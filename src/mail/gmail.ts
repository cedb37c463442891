import type { ConnectionOptions } from 'node:tls'
import { createTransport, type Transporter } from 'nodemailer'
import type { MailAuthorisation } from './authorisation.ts'
import { authorisationRefused } from './google.ts'
import type { Mailer } from './mailer.ts'
import { headersOf } from './message.ts'
import { SMTP_TIMEOUTS } from './smtp.ts'
import { deliveryFailure } from './smtp-faults.ts'

export interface MailServer {
  host: string
  port: number
  tls?: ConnectionOptions
}

const GMAIL: MailServer = { host: 'smtp.gmail.com', port: 465 }

export interface GmailOptions {
  authorisation: MailAuthorisation
  /** The sender, as `Name <address>`; undefined: the authorised account. */
  from: string | undefined
  /** The domain of this service. */
  domain: string
  /** Sends the letters while no account is authorised. */
  otherwise: Mailer
  /** The mail server. Default: Gmail's. */
  server?: MailServer | undefined
}

/** A mailer that sends through the authorised Gmail account. It looks the account up before each letter, so an
 *  authorisation takes effect with the next letter. */
export function createGmail({
  authorisation,
  from,
  domain,
  otherwise,
  server = GMAIL,
}: GmailOptions): Mailer {
  async function withTransport(
    { account, accessToken }: { account: string; accessToken: string },
    use: (transport: Transporter) => Promise<unknown>,
  ): Promise<void> {
    const transport = createTransport({
      ...server,
      ...SMTP_TIMEOUTS,
      secure: true,
      auth: { type: 'OAuth2', user: account, accessToken },
    })
    try {
      await use(transport)
    } catch (error) {
      throw deliveryFailure(error, authorisationRefused)
    } finally {
      transport.close()
    }
  }

  return {
    async send(letter) {
      const sender = await authorisation.sender()
      if (!sender) return await otherwise.send(letter)
      const { text, html } = letter
      const by = { from: from ?? { name: 'Inframe', address: sender.account }, domain }
      await withTransport(sender, (transport) => transport.sendMail({ ...headersOf(letter, by), text, html }))
    },
    async check() {
      const sender = await authorisation.sender()
      if (!sender) return await otherwise.check()
      await withTransport(sender, (transport) => transport.verify())
    },
    close: () => otherwise.close(),
  }
}
