import { lockAlbum } from '../albums/queries.ts'
import { countCall, type LimitDeps } from '../albums/rate-limits.ts'
import type { ConfirmedAlert } from '../contract/alerts.ts'
import { AppError } from '../errors.ts'
import type { KeptLetters } from '../mail/outbox.ts'
import { saveRefusedAddress } from '../mail/recipient-queries.ts'
import { readAlertToken } from './alert-links.ts'
import { findAlert, markConfirmed } from './alert-queries.ts'
import { removeAlerts } from './remove-alerts.ts'

/** The token of a letter, and who uses it. */
interface Answer {
  token: string
  /** The caller's network address. */
  address: string
}

const alertEnded = () =>
  new AppError('CONFLICT', 'These letters have ended. Ask for them again on the page of the album.')

/** The guest has confirmed the address: from now on letters are sent to it. May be repeated.
 *  @throws AppError NOT_FOUND for a wrong token, CONFLICT when it has ended, TOO_MANY_REQUESTS */
export async function confirmAlert(deps: LimitDeps, { token, address }: Answer): Promise<ConfirmedAlert> {
  await countCall(deps, 'letterLink', { address })
  const { alertId } = readAlertToken(deps.keyring, ['confirm'], token)
  return await deps.db.transaction().execute(async (trx) => {
    const known = await findAlert(trx, alertId)
    const album = known && (await lockAlbum(trx, known.album_id))
    // Another one of the same address may have replaced it before the album was locked.
    const alert = album && (await findAlert(trx, alertId))
    if (!alert) throw alertEnded()
    if (!alert.confirmed_at) await markConfirmed(trx, alert)
    return {
      displayName: album.display_name,
      albumName: album.slug,
      endsAt: alert.ends_at.toISOString(),
    }
  })
}

/** Ends the letters to a guest and deletes what was kept for them.
 *  @returns whether they had ended before
 *  @throws AppError NOT_FOUND for a wrong token, TOO_MANY_REQUESTS, SERVICE_UNAVAILABLE while the outbox cannot be changed */
export async function endAlert(
  deps: LimitDeps & { outbox: KeptLetters },
  { token, address }: Answer,
): Promise<{ hadEnded: boolean }> {
  await countCall(deps, 'letterLink', { address })
  const { alertId, use } = readAlertToken(deps.keyring, ['end', 'refuse'], token)
  const alert = await findAlert(deps.db, alertId)
  if (!alert) return { hadEnded: true }
  if (use === 'refuse') await saveRefusedAddress(deps.db, alert.address_hash)
  await removeAlerts(deps, [alert])
  return { hadEnded: false }
}
