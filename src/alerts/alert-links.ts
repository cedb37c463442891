import {
  idOfLetterToken,
  invalidLetterLink,
  isLetterTokenFor,
  letterToken,
  type Refusal,
  readRefusal,
  refusalToken,
} from '../albums/letter-token.ts'
import { PAGES } from '../contract/pages.ts'
import type { PhotoAlert } from '../database/schema.ts'
import type { Keyring } from '../keyring.ts'

/** What a token with the id of an alert allows: to confirm its address, or to end it. The caller who asked for it has the
 *  second one and may be anybody, so it ends this alert and no other of the same address. */
type AlertTokenUse = 'confirm' | 'end'

/** The addresses in the letters of an alert. The page has a button for each: programs that check the links of a letter open
 *  them, too. Tokens are behind the `#`, where no server sees them, except in the `url`s: mail programs call those
 *  themselves (RFC 8058).
 *  @param alert with the letter that they are for as the last one of `letter_ids` */
export function alertLinks(
  keyring: Keyring,
  siteUrl: string,
  { id, address_hash: addressHash, letter_ids }: Pick<PhotoAlert, 'id' | 'address_hash' | 'letter_ids'>,
) {
  const page = `${siteUrl}${PAGES.photoLetters.path}`
  const letterId = letter_ids.at(-1)!
  const end = letterToken(keyring, letterId, claimOfLetter(letterId))
  const refuse = refusalToken(keyring, REFUSED, { id, addressHash })
  return {
    confirm: `${page}#confirm=${alertToken(keyring, 'confirm', id)}`,
    end: `${page}#end=${end}`,
    endUrl: `${page}?token=${end}`,
    refuse: `${page}#refuse=${refuse}`,
    refuseUrl: `${page}?token=${refuse}`,
  }
}

export function alertToken(keyring: Keyring, use: AlertTokenUse, alertId: string): string {
  return letterToken(keyring, alertId, claimOf(use, alertId))
}

/** The id of the alert that a token confirms, which may have ended.
 *  @throws AppError NOT_FOUND when it is forged or made for something else */
export function readConfirmToken(keyring: Keyring, token: string): string {
  const alertId = idOfLetterToken(token)
  if (!isLetterTokenFor(keyring, token, claimOf('confirm', alertId))) throw invalidLetterLink()
  return alertId
}

/** What a token ends: one alert; the alert that a letter about new photos was sent for, or the one that has replaced it; or,
 *  for somebody who has not asked, an alert and every further one from this album. */
export type AlertEnding = { alertId: string } | { letterId: string } | { refusal: Refusal }

/** @throws AppError NOT_FOUND when it is forged or made for something else */
export function readEndToken(keyring: Keyring, token: string): AlertEnding {
  const refusal = readRefusal(keyring, REFUSED, token)
  if (refusal) return { refusal }
  const id = idOfLetterToken(token)
  if (isLetterTokenFor(keyring, token, claimOf('end', id))) return { alertId: id }
  if (isLetterTokenFor(keyring, token, claimOfLetter(id))) return { letterId: id }
  throw invalidLetterLink()
}

const REFUSED = 'alert'
const claimOf = (use: AlertTokenUse, alertId: string) => `alert ${use} ${alertId}`
const claimOfLetter = (letterId: string) => `alert letter ${letterId}`
