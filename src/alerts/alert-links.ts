import { idOfLetterToken, invalidLetterLink, isLetterTokenFor, letterToken } from '../albums/letter-token.ts'
import { PAGES } from '../contract/pages.ts'
import type { Keyring } from '../keyring.ts'

/** What a token allows: to confirm the address, to end the letters, or to say that somebody else has entered the address,
 *  which also refuses further letters. */
export type AlertTokenUse = 'confirm' | 'end' | 'refuse'

/** The addresses in the letters of an alert. The page has a button for each: programs that check the links of a letter open
 *  them, too. Tokens are behind the `#`, where no server sees them, except in the `url`s: mail programs call those
 *  themselves (RFC 8058). */
export function alertLinks(keyring: Keyring, siteUrl: string, alertId: string) {
  const page = `${siteUrl}${PAGES.photoLetters.path}`
  const link = (use: AlertTokenUse) => `${page}#${use}=${alertToken(keyring, use, alertId)}`
  const url = (use: AlertTokenUse) => `${page}?token=${alertToken(keyring, use, alertId)}`
  return {
    confirm: link('confirm'),
    end: link('end'),
    endUrl: url('end'),
    refuse: link('refuse'),
    refuseUrl: url('refuse'),
  }
}

export function alertToken(keyring: Keyring, use: AlertTokenUse, alertId: string): string {
  return letterToken(keyring, alertId, claimOf(use, alertId))
}

/** The alert that a token was made for, which may have ended, and what the token allows.
 *  @param uses what it may allow
 *  @throws AppError NOT_FOUND when it is forged or made for something else */
export function readAlertToken(
  keyring: Keyring,
  uses: AlertTokenUse[],
  token: string,
): { alertId: string; use: AlertTokenUse } {
  const alertId = idOfLetterToken(token)
  const use = uses.find((one) => isLetterTokenFor(keyring, token, claimOf(one, alertId)))
  if (!use) throw invalidLetterLink()
  return { alertId, use }
}

const claimOf = (use: AlertTokenUse, alertId: string) => `alert ${use} ${alertId}`
