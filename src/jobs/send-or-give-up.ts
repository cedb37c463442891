import { hasCode } from '../errors.ts'
import type { Letter } from '../mail/mailer.ts'
import { saveRefusedAddress } from '../mail/recipient-queries.ts'
import { addressHashes } from '../mail/recipients.ts'
import type { JobDeps } from './define-handler.ts'

/** Sends a letter. When its address is refused permanently, the letter is given up and the address is recorded as refused.
 *  @param about what the log says about the letter
 *  @returns whether it was sent */
export async function sendOrGiveUp(
  { db, mailer, keyring, log }: JobDeps,
  letter: Letter,
  about: Record<string, string>,
): Promise<boolean> {
  try {
    await mailer.send(letter)
    return true
  } catch (error) {
    if (!hasCode(error, 'UNPROCESSABLE_CONTENT')) throw error
    log.warn({ ...about, err: error }, 'A letter cannot be delivered and is given up')
    await saveRefusedAddress(db, addressHashes(keyring, letter.to)[0])
    return false
  }
}
