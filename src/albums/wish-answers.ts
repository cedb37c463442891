import { type Actor, recordEvent } from '../audit/audit-log.ts'
import type { WishOutput } from '../contract/take-out.ts'
import type { Trx } from '../database/client.ts'
import type { Album, TakeOut } from '../database/schema.ts'
import type { PhotoLinks } from '../photos/links.ts'
import { indexedPhotos } from '../photos/queries.ts'
import { hidePhotos, showPhotos } from '../photos/taken-out-queries.ts'
import { invalidLetterLink } from './letter-token.ts'
import { lockAlbum } from './queries.ts'
import { countCall, type LimitDeps } from './rate-limits.ts'
import { findTakeOut, hiddenForOthers, recordAllShown, recordAnswer } from './take-out-queries.ts'
import { findWishByToken } from './wish-links.ts'

/** The page of a wish shows so many of its photos. */
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
export async function readWish(
  deps: Deps,
  { token, address }: Question,
  origin: string,
): Promise<WishOutput> {
  await countCall(deps, 'letterLink', { address })
  const { takeOut, album } = await findWishByToken(deps, token)
  return await wishOf(deps, takeOut, album, origin)
}

/** Hides the photos that a guest has asked to hide, or shows them again. A photo that is also hidden for another guest
 *  stays hidden. May be repeated.
 *  @throws AppError NOT_FOUND, TOO_MANY_REQUESTS */
export async function answerWish(
  deps: Deps,
  { token, address, answer }: Question & { answer: 'hide' | 'show' },
  origin: string,
): Promise<WishOutput> {
  await countCall(deps, 'letterLink', { address })
  const { takeOut, album } = await findWishByToken(deps, token)
  const answered = await deps.db.transaction().execute(async (trx) => {
    if (!(await lockAlbum(trx, album.id))) throw invalidLetterLink()
    const by: Actor = { role: 'owner', address }
    const changed = await change(trx, (await findTakeOut(trx, takeOut.id))!, answer)
    if (changed > 0)
      await recordEvent(
        { ...deps, db: trx },
        { event: answer === 'hide' ? 'photos hidden' : 'photos shown again', album, by },
      )
    return (await findTakeOut(trx, takeOut.id))!
  })
  return await wishOf(deps, answered, album, origin)
}

/** @returns how many photos were hidden or shown */
async function change(trx: Trx, takeOut: TakeOut, answer: 'hide' | 'show'): Promise<number> {
  const photos = takeOut.photos_to_hide ?? []
  await recordAnswer(trx, takeOut.id, answer)
  if (answer === 'hide') return await hidePhotos(trx, takeOut.album_id, photos)
  const others = await hiddenForOthers(trx, takeOut)
  return await showPhotos(
    trx,
    takeOut.album_id,
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
  return await deps.db.transaction().execute(async (trx) => {
    await lockAlbum(trx, album.id)
    await recordAllShown(trx, album.id)
    const shown = await showPhotos(trx, album.id)
    if (shown > 0) await recordEvent({ ...deps, db: trx }, { event: 'photos shown again', album, by })
    return shown
  })
}

async function wishOf(
  { db, links }: Deps,
  { photos_to_hide, answer }: TakeOut,
  album: Album,
  origin: string,
): Promise<WishOutput> {
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
