import type { Letter } from './mailer.ts'

/** Who sends letters. */
export interface Sender {
  /** As `Name <address>`, or in two parts. */
  from: string | { name: string; address: string }
  /** The domain of this service, in ASCII. */
  domain: string
}

/** A letter's headers, the same for every mailer.
 *  @throws TypeError for an id that cannot be a header and a file name */
export function headersOf(letter: Letter, { from, domain }: Sender) {
  // The id becomes a header, and in the outbox a file name.
  if (!/^[a-zA-Z0-9-]+$/.test(letter.id)) throw new TypeError(`Invalid letter id: ${letter.id}`)
  return {
    from,
    // In an object the address stays one address, whatever it contains: no second recipient, no new header.
    to: { name: '', address: letter.to },
    subject: letter.subject,
    // The same when the letter is sent again, so that a mail program recognises the repetition.
    messageId: `<${letter.id}@${domain}>`,
    headers: {
      // RFC 3834 §5: out-of-office programs do not answer it.
      'Auto-Submitted': 'auto-generated',
      ...(letter.stopUrl && unsubscribeHeaders(letter.stopUrl)),
    },
  }
}

/** RFC 2369 §3.2; RFC 8058 §3.1 allows the POST without a page only for https. */
function unsubscribeHeaders(stopUrl: string): Record<string, string> {
  return {
    'List-Unsubscribe': `<${stopUrl}>`,
    ...(stopUrl.startsWith('https:') && { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }),
  }
}
