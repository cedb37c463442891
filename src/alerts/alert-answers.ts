import { REMEMBERED } from '../albums/begin-letter.ts'
import type { Answer } from '../albums/letter-answers.ts'
import type { Refusal } from '../albums/letter-token.ts'
import { findOrCountWrong, type LimitDeps } from '../albums/rate-limits.ts'
import type { AlertState, ConfirmedAlert } from '../contract/alerts.ts'
import type { Db } from '../database/client.ts'
import type { PhotoAlert } from '../database/schema.ts'
import { withAlbum } from '../database/transaction.ts'
import { AppError } from '../errors.ts'
import type { KeptLetters } from '../mail/outbox.ts'
import { isRefusedAddress, saveRefusedAddress } from '../mail/recipient-queries.ts'
import { guestAddressHashes } from '../mail/recipients.ts'
import { type AlertEnding, readConfirmToken, readEndToken } from './alert-links.ts'
import { findAlert, findAlertOfLetter, markConfirmed } from './alert-queries.ts'
import { removeAlerts } from './remove-alerts.ts'
import { openGuest } from './sealed-alert.ts'

const alertEnded = () =>
  new AppError('CONFLICT', 'These letters have ended. Ask for them again on the page of the album.')

/** The guest has confirmed the address: from now on letters are sent to it. May be repeated.
 *  @throws AppError NOT_FOUND for a wrong token, CONFLICT when it has ended, TOO_MANY_REQUESTS */
export async function confirmAlert(deps: LimitDeps, { token, address }: Answer): Promise<ConfirmedAlert> {
  const { keyring } = deps
  const alertId = await findOrCountWrong(deps, { address }, () => readConfirmToken(keyring, token))
  const known = await findAlert(deps.db, alertId)
  if (!known) throw alertEnded()
  return await withAlbum(deps.db, known.album_id, async (trx, album) => {
    // A confirmation of another one may have replaced it before the album was locked.
    const alert = album && (await findAlert(trx, alertId))
    const guest = alert && openGuest(keyring, alert)
    if (!guest) throw alertEnded()
    const hashes = guestAddressHashes(keyring, album.id, guest.address)
    if (!alert.confirmed_at) await markConfirmed(trx, alert, hashes)
    return {
      displayName: album.display_name,
      albumName: album.slug,
      endsAt: alert.ends_at.toISOString(),
    }
  })
}

/** What has become of letters to a guest. Who asked for them learns no more than by ending them.
 *  @param answer with a token that ends them
 *  @throws AppError NOT_FOUND for a wrong token, TOO_MANY_REQUESTS */
export async function readAlertState(
  deps: LimitDeps,
  { token, address }: Answer,
): Promise<{ state: AlertState }> {
  const ending = await findOrCountWrong(deps, { address }, () => readEndToken(deps.keyring, token))
  const alert = await alertOf(deps.db, ending)
  return { state: !alert ? 'ended' : alert.confirmed_at ? 'confirmed' : 'waiting' }
}

/** Ends the letters to a guest and deletes what was kept for them. "This was not me" also refuses further ones, when newer
 *  letters have come meanwhile, and when nothing is kept any more.
 *  @returns whether they had ended, or were refused, before
 *  @throws AppError NOT_FOUND for a wrong token, TOO_MANY_REQUESTS, SERVICE_UNAVAILABLE while the outbox cannot be changed */
export async function endAlert(
  deps: LimitDeps & { outbox: KeptLetters },
  { token, address }: Answer,
): Promise<{ hadEnded: boolean }> {
  const ending = await findOrCountWrong(deps, { address }, () => readEndToken(deps.keyring, token))
  if ('refusal' in ending) return await refuseAlerts(deps, ending.refusal)
  const alert = await alertOf(deps.db, ending)
  if (alert) await removeAlerts(deps, [alert])
  return { hadEnded: alert === undefined }
}

async function alertOf(db: Db, ending: AlertEnding): Promise<PhotoAlert | undefined> {
  if ('alertId' in ending) return await findAlert(db, ending.alertId)
  if ('letterId' in ending) return await findAlertOfLetter(db, ending.letterId)
  return await findAlert(db, ending.refusal.id)
}

async function refuseAlerts(
  deps: LimitDeps & { outbox: KeptLetters },
  { id, addressHash }: Refusal,
): Promise<{ hadEnded: boolean }> {
  const wasRefused = await isRefusedAddress(deps.db, [addressHash], REMEMBERED.refusalsSeconds)
  await saveRefusedAddress(deps.db, addressHash)
  const alert = await findAlert(deps.db, id)
  if (alert) await removeAlerts(deps, [alert])
  return { hadEnded: wasRefused && !alert }
}
