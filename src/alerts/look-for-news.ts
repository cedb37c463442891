import { addToHour } from '../albums/visitor-queries.ts'
import type { AppContext } from '../context.ts'
import type { PhotoAlert } from '../database/schema.ts'
import { withAlbum } from '../database/transaction.ts'
import { hasCode } from '../errors.ts'
import { requestLetter } from '../letters/request.ts'
import { countIndexedBetween } from '../photos/queries.ts'
import { photosLike } from '../search/find-person.ts'
import type { RememberedPerson } from '../search/search-token.ts'
import { beginLook, findAlert, recordLook } from './queries.ts'
import { removeAlerts } from './remove-alerts.ts'
import { openGuest } from './sealed-alert.ts'

/** Looks for new photos of a guest, and requests the letter that says how many there are. The transaction that requests it
 *  records the look, so the next letter counts later photos only.
 *  @throws AppError SERVICE_UNAVAILABLE while a face engine is unavailable */
export async function lookForNews(
  deps: Pick<AppContext, 'db' | 'faces' | 'jobs' | 'keyring' | 'threshold'>,
  alertId: string,
): Promise<void> {
  const { db, keyring } = deps
  const alert = await findAlert(db, alertId)
  if (!alert?.confirmed_at) return
  const until = await withAlbum(db, alert.album_id, (trx) => beginLook(trx, alertId))
  if (!until) return
  const guest = openGuest(keyring, alert)
  const found = guest && (await findPhotos(deps, alert, guest.person))
  if (!found) return await db.transaction().execute((trx) => removeAlerts(trx, deps, [alert]))
  const photos = await countIndexedBetween(db, alert.album_id, found, { after: alert.looked_until, until })
  await withAlbum(db, alert.album_id, async (trx, album) => {
    // Another process may have looked meanwhile.
    if (!album || !(await recordLook(trx, alertId, until)) || photos === 0) return
    const request = { kind: 'news' as const, album, email: guest.address, subjectId: alertId, photos }
    if (await requestLetter(trx, deps, request)) await addToHour(trx, album.id, { letters: 1 })
  })
}

/** The ids of all photos that surely show a person.
 *  @returns undefined when what was kept no longer finds anybody, as a ticket that is not valid */
async function findPhotos(
  deps: Pick<AppContext, 'db' | 'faces' | 'threshold'>,
  { album_id }: PhotoAlert,
  person: RememberedPerson,
): Promise<string[] | undefined> {
  try {
    const { sure } = await photosLike(deps, [album_id], { selfies: [], isLater: true, ...person })
    return sure.map(({ photoId }) => photoId)
  } catch (error) {
    if (hasCode(error, 'FORBIDDEN')) return undefined
    throw error
  }
}
