import { hasCode } from '../errors.ts'
import type { Letter } from '../mail/mailer.ts'
import { saveRefusedAddress } from '../mail/recipient-queries.ts'
import { addressHashes } from '../mail/recipients.ts'
import type { JobDeps } from './define-handler.ts'

/** How often a letter is tried that the mail server refuses without saying why. The pauses grow to an hour, so this is more than
 *  a day: a limit of the sender is over by then. */
const TRIES_WITHOUT_REASON = 40

/** Sends a letter. When its address is refused permanently, the letter is given up and the address is recorded as refused.
 *  @param about what the log says about the letter
 *  @param attempt of the job, 1 for the first
 *  @returns whether it was sent */
export async function sendOrGiveUp(
  { db, mailer, keyring, log }: JobDeps,
  letter: Letter,
  about: Record<string, string>,
  attempt: number,
): Promise<boolean> {
  try {
    await mailer.send(letter)
    return true
  } catch (error) {
    const isOver = hasCode(error, 'FORBIDDEN') && attempt >= TRIES_WITHOUT_REASON
    if (!hasCode(error, 'UNPROCESSABLE_CONTENT') && !isOver) throw error
    log.warn({ ...about, err: error }, 'A letter cannot be delivered and is given up')
    await saveRefusedAddress(db, addressHashes(keyring, letter.to)[0])
    return false
  }
}
