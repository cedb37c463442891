import { countCall, findOrCountWrong, type LimitDeps } from '../albums/rate-limits.ts'
import { type Actor, recordEvent } from '../audit/audit-log.ts'
import type { HideRequestOutput } from '../contract/opt-outs.ts'
import type { Trx } from '../database/client.ts'
import type { Album, OptOut } from '../database/schema.ts'
import { withAlbum } from '../database/transaction.ts'
import { hidePhotos, showPhotos } from '../photos/hidden-queries.ts'
import type { PhotoLinks } from '../photos/links.ts'
import { indexedPhotos } from '../photos/queries.ts'
import { findOptOut, hiddenForOthers, recordAllShown, recordAnswer } from './opt-out-queries.ts'
import { findHideRequest } from './owner-links.ts'

/** The page of a request shows so many of its photos. */
const PHOTOS_SHOWN = 60

interface Question {
  /** The token of the letter's link. */
  token: string
  /** The caller's network address. */
  address: string
}

type Deps = LimitDeps & { links: PhotoLinks }

/** What a guest has asked for, and what the owner has answered.
 *  @param origin where addresses begin, without a slash at its end
 *  @throws AppError NOT_FOUND, TOO_MANY_REQUESTS */
export async function readHideRequest(
  deps: Deps,
  { token, address }: Question,
  origin: string,
): Promise<HideRequestOutput> {
  const { optOut, album } = await findOrCountWrong(deps, { address }, () => findHideRequest(deps, token))
  return await requestOf(deps, optOut, album, origin)
}

/** Hides the photos that a guest has asked to hide, or shows them again. A photo that is also hidden for another guest
 *  stays hidden. May be repeated.
 *  @throws AppError NOT_FOUND, TOO_MANY_REQUESTS */
export async function answerHideRequest(
  deps: Deps,
  { token, address, answer }: Question & { answer: 'hide' | 'show' },
  origin: string,
): Promise<HideRequestOutput> {
  const { optOut, album } = await findOrCountWrong(deps, { address }, () => findHideRequest(deps, token))
  if (optOut.answer === answer) return await requestOf(deps, optOut, album, origin)
  // Each is an event in the audit log. It is counted for the request, so that nobody else has to wait.
  await countCall(deps, 'changeAlbum', { address: `request ${optOut.id}` })
  const answered = await withAlbum(deps.db, album.id, async (trx) => {
    const by: Actor = { role: 'owner', address }
    // Meanwhile the guest may have taken it back, or the album may have another owner.
    const { optOut: current } = await findHideRequest({ ...deps, db: trx }, token)
    const changed = await change(trx, current, answer)
    if (changed > 0)
      await recordEvent(
        { ...deps, db: trx },
        { event: answer === 'hide' ? 'photos hidden' : 'photos shown again', album, by },
      )
    return (await findOptOut(trx, optOut.id))!
  })
  return await requestOf(deps, answered, album, origin)
}

/** @returns how many photos were hidden or shown */
async function change(trx: Trx, optOut: OptOut, answer: 'hide' | 'show'): Promise<number> {
  const photos = optOut.photos_to_hide ?? []
  await recordAnswer(trx, optOut.id, answer)
  if (answer === 'hide') return await hidePhotos(trx, optOut.album_id, photos)
  const others = await hiddenForOthers(trx, optOut)
  return await showPhotos(
    trx,
    optOut.album_id,
    photos.filter((id) => !others.has(id)),
  )
}

/** Shows all hidden photos of an album again.
 *  @returns how many there were */
export async function showAllPhotos(
  deps: Omit<LimitDeps, 'limits'>,
  album: Album,
  by: Actor,
): Promise<number> {
  return await withAlbum(deps.db, album.id, async (trx) => {
    await recordAllShown(trx, album.id)
    const shown = await showPhotos(trx, album.id)
    if (shown > 0) await recordEvent({ ...deps, db: trx }, { event: 'photos shown again', album, by })
    return shown
  })
}

async function requestOf(
  { db, links }: Deps,
  { photos_to_hide, answer }: OptOut,
  album: Album,
  origin: string,
): Promise<HideRequestOutput> {
  const ids = photos_to_hide ?? []
  // Hidden photos have no addresses.
  const shown = await indexedPhotos(db, album.id, ids.slice(0, PHOTOS_SHOWN))
  return {
    displayName: album.display_name,
    albumName: album.slug,
    count: ids.length,
    answer,
    thumbUrls: shown.map(({ id }) => origin + links.sign(id, album.password_version).thumbUrl),
  }
}
