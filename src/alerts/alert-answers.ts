import type { Answer } from '../albums/owner-address.ts'
import { findOrCountWrong } from '../albums/rate-limits.ts'
import type { AppContext } from '../context.ts'
import type { AlertState, ConfirmedAlert } from '../contract/alerts.ts'
import type { Db } from '../database/client.ts'
import type { PhotoAlert } from '../database/schema.ts'
import { withAlbum } from '../database/transaction.ts'
import { AppError } from '../errors.ts'
import { guestAddressHashes } from '../letters/addresses.ts'
import { type LinkContent, readLink } from '../letters/links.ts'
import { findLetter, isRefusedAddress, moveLetters, saveRefusedAddress } from '../letters/queries.ts'
import { findAlert, markConfirmed } from './queries.ts'
import { removeAlerts } from './remove-alerts.ts'
import { openGuest } from './sealed-alert.ts'

const alertEnded = () =>
  new AppError('CONFLICT', 'These letters have ended. Ask for them again on the page of the album.')

/** The guest has confirmed the address: from now on letters are sent to it. May be repeated.
 *  @throws AppError NOT_FOUND for a wrong token, CONFLICT when it has ended, TOO_MANY_REQUESTS */
export async function confirmAlert(
  deps: Pick<AppContext, 'db' | 'keyring' | 'limits'>,
  { token, address }: Answer,
): Promise<ConfirmedAlert> {
  const { keyring } = deps
  const { id: alertId } = await findOrCountWrong(deps, { address }, () =>
    readLink(keyring, token, 'confirmAlert'),
  )
  const known = await findAlert(deps.db, alertId)
  if (!known) throw alertEnded()
  return await withAlbum(deps.db, known.album_id, async (trx, album) => {
    // A confirmation of another one may have replaced it before the album was locked.
    const alert = album && (await findAlert(trx, alertId))
    const guest = alert && openGuest(keyring, alert)
    if (!guest) throw alertEnded()
    const hashes = guestAddressHashes(keyring, album.id, guest.address)
    const former = alert.confirmed_at ? undefined : await markConfirmed(trx, alert, hashes)
    // The links of its letters end this one, and its last letter was at most a day ago.
    if (former) await moveLetters(trx, former, alertId)
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
  deps: Pick<AppContext, 'db' | 'keyring' | 'limits'>,
  { token, address }: Answer,
): Promise<{ state: AlertState }> {
  const alert = await alertOf(deps.db, await readEnding(deps, { token, address }))
  return { state: !alert ? 'ended' : alert.confirmed_at ? 'confirmed' : 'waiting' }
}

/** Ends the letters to a guest and deletes what was kept for them. "This was not me" also refuses further ones, when newer
 *  letters have come meanwhile, and when nothing is kept any more.
 *  @returns whether they had ended, or were refused, before
 *  @throws AppError NOT_FOUND for a wrong token, TOO_MANY_REQUESTS */
export async function endAlert(
  deps: Pick<AppContext, 'db' | 'jobs' | 'keyring' | 'limits'>,
  { token, address }: Answer,
): Promise<{ hadEnded: boolean }> {
  const link = await readEnding(deps, { token, address })
  const alert = await alertOf(deps.db, link)
  const addressHash = link.use === 'refuseAlert' && Buffer.from(link.to!, 'base64url')
  return await deps.db.transaction().execute(async (trx) => {
    const wasRefused = !addressHash || (await isRefusedAddress(trx, [addressHash]))
    if (addressHash) await saveRefusedAddress(trx, addressHash)
    if (alert) await removeAlerts(trx, deps, [alert])
    return { hadEnded: wasRefused && alert === undefined }
  })
}

const readEnding = (deps: Pick<AppContext, 'db' | 'keyring' | 'limits'>, { token, address }: Answer) =>
  findOrCountWrong(deps, { address }, () =>
    readLink(deps.keyring, token, 'endAlert', 'endNews', 'refuseAlert'),
  )

/** A letter about new photos is of the alert that it was sent for, or of the one that has replaced it. */
async function alertOf(db: Db, { use, id }: LinkContent): Promise<PhotoAlert | undefined> {
  const alertId = use === 'endNews' ? (await findLetter(db, id))?.subject_id : id
  return alertId ? await findAlert(db, alertId) : undefined
}
