import type { Letter } from './mailer.ts'

/** A letter's headers, the same whichever way it is sent.
 *  @param from the sender, as `Name <address>` or in its two parts */
export function headersOf(letter: Letter, from: string | { name: string; address: string }) {
  // It becomes a header, and the outbox's name of the file.
  if (!/^[a-zA-Z0-9-]+$/.test(letter.id)) throw new TypeError(`Not a letter's id: ${letter.id}`)
  return {
    from,
    // As an object the address is one address, whatever it contains: no second recipient, no new header.
    to: { name: '', address: letter.to },
    subject: letter.subject,
    // Stays the same when the letter is sent again, so that a mail program can tell that it is a repetition.
    messageId: `<${letter.id}@inframe>`,
  }
}
