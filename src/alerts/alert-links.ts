import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto'
import { invalidLetterLink } from '../albums/letter-links.ts'
import { PAGES } from '../contract/pages.ts'
import { uuidOf } from '../database/uuid.ts'
import type { Keyring } from '../keyring.ts'

/** What a token allows: to confirm the address, to end the letters, or to say that somebody else has entered the address,
 *  which also refuses further letters. */
export type AlertTokenUse = 'confirm' | 'end' | 'refuse'

/** The alert's id and half of an HMAC-SHA-256, as base64url. */
const TOKEN = /^[A-Za-z0-9_-]{43}$/
const ID_BYTES = 16
/** 128 bits cannot be guessed, and make the address half as long. */
const MAC_BYTES = 16

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
  const id = Buffer.from(alertId.replaceAll('-', ''), 'hex')
  return Buffer.concat([id, macOf(keyring.keys('letter-link')[0]!, use, alertId)]).toString('base64url')
}

/** The alert that a token was made for, which may have ended, and what the token allows.
 *  @param uses what it may allow
 *  @throws AppError NOT_FOUND when it is forged or made for something else */
export function readAlertToken(
  keyring: Keyring,
  uses: AlertTokenUse[],
  token: string,
): { alertId: string; use: AlertTokenUse } {
  if (!TOKEN.test(token)) throw invalidLetterLink()
  const bytes = Buffer.from(token, 'base64url')
  const alertId = uuidOf(bytes)
  const mac = bytes.subarray(ID_BYTES)
  const keys = keyring.keys('letter-link')
  const use = uses.find((one) => keys.some((key) => timingSafeEqual(mac, macOf(key, one, alertId))))
  if (!use) throw invalidLetterLink()
  return { alertId, use }
}

function macOf(key: KeyObject, use: AlertTokenUse, alertId: string): Buffer {
  return createHmac('sha256', key).update(`alert ${use} ${alertId}`).digest().subarray(0, MAC_BYTES)
}
