import { randomUUID } from 'node:crypto'
import { findAlbum } from '../albums/queries.ts'
import type { Album, PhotoAlert } from '../database/schema.ts'
import { withAlbum } from '../database/transaction.ts'
import { hasCode } from '../errors.ts'
import type { Keyring } from '../keyring.ts'
import type { KeptLetters } from '../mail/outbox.ts'
import { countIndexedBetween } from '../photos/queries.ts'
import type { JobSender } from '../queues/job-sender.ts'
import { type MatchDeps, photosLike } from '../search/photos-like.ts'
import type { RememberedPerson } from '../search/search-token.ts'
import { beginLook, findAlert, recordLetterBegun, recordLook } from './alert-queries.ts'
import { removeAlerts } from './remove-alerts.ts'
import { openGuest } from './sealed-alert.ts'

type Deps = MatchDeps & { keyring: Keyring; outbox: KeptLetters; jobs: JobSender }

/** A letter that is to be sent now. */
export interface NewsLetter {
  album: Album
  /** With this letter as its last one. */
  alert: PhotoAlert
  address: string
  /** How many new photos of the guest there are. */
  photos: number
}

/** Looks for new photos of a guest, and begins the letter that says how many there are. What it counts is recorded
 *  before the letter is sent. So a letter that is sent again is the same, and the next one counts later photos only.
 *  @returns undefined when there is no letter to send now. A letter that was begun and may not have arrived is returned
 *    again, unchanged
 *  @throws AppError SERVICE_UNAVAILABLE while a face engine is unavailable */
export async function beginNews(deps: Deps, alertId: string): Promise<NewsLetter | undefined> {
  const alert = await findAlert(deps.db, alertId)
  if (!alert?.confirmed_at) return undefined
  const guest = openGuest(deps.keyring, alert)
  if (!guest) {
    await removeAlerts(deps, [alert])
    return undefined
  }
  const begun = alert.letter_until ? alert : await lookForNews(deps, alert, guest.person)
  const album = begun && (await findAlbum(deps.db, { id: begun.album_id }))
  if (!album) return undefined
  return {
    album,
    alert: begun,
    address: guest.address,
    photos: begun.letter_photos!,
  }
}

/** @returns the alert with a letter that has begun; undefined when there is none */
async function lookForNews(
  deps: Deps,
  alert: PhotoAlert,
  person: RememberedPerson,
): Promise<PhotoAlert | undefined> {
  const until = await withAlbum(deps.db, alert.album_id, (trx) => beginLook(trx, alert.id))
  if (!until) return undefined
  const found = await findPhotos(deps, alert.album_id, person)
  if (!found) {
    await removeAlerts(deps, [alert])
    return undefined
  }
  const period = { after: alert.looked_until, until }
  const photos = await countIndexedBetween(deps.db, alert.album_id, found, period)
  if (photos > 0) return await recordLetterBegun(deps.db, alert, { id: randomUUID(), until, photos })
  await recordLook(deps.db, alert.id, until)
  return undefined
}

/** The ids of all photos that surely show a person.
 *  @returns undefined when what was kept finds nobody any more */
async function findPhotos(
  deps: Deps,
  albumId: string,
  person: RememberedPerson,
): Promise<string[] | undefined> {
  try {
    const { sure } = await photosLike(deps, [albumId], { selfies: [], isLater: true, ...person })
    return sure.map(({ photoId }) => photoId)
  } catch (error) {
    if (hasCode(error, 'FORBIDDEN')) return undefined
    throw error
  }
}
