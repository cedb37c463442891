import { findOrCountWrong, type LimitDeps } from '../albums/rate-limits.ts'
import type { Actor } from '../audit/audit-log.ts'
import type { OptOutsOutput } from '../contract/opt-outs.ts'
import type { Album } from '../database/schema.ts'
import { type Change, type ChangeDeps, changeOptOuts } from './change-opt-out.ts'
import { stateOf } from './opt-out.ts'
import { optOutsOfAlbum } from './opt-out-queries.ts'
import { findAlbumOfOptOuts, isLinkOfOptOuts } from './owner-links.ts'

interface WithToken {
  /** The token of the letter's link. */
  token: string
  /** The caller's network address. */
  address: string
}

/** The opt-outs of an album, as its owner may see them: numbers and times only.
 *  @throws AppError NOT_FOUND, TOO_MANY_REQUESTS */
export async function listOptOuts(deps: LimitDeps, { token, address }: WithToken): Promise<OptOutsOutput> {
  const album = await findOrCountWrong(deps, { address }, () => findAlbumOfOptOuts(deps, token))
  return await listOf(deps, album)
}

/** What the owner decides about opt-outs. Those that were changed meanwhile stay as they are: the answer says what holds.
 *  @throws AppError NOT_FOUND, TOO_MANY_REQUESTS */
export async function answerOptOuts(
  deps: LimitDeps & ChangeDeps,
  { token, address, ids, change }: WithToken & { ids: string[]; change: Exclude<Change, 'undo'> },
): Promise<OptOutsOutput> {
  const album = await findOrCountWrong(deps, { address }, () => findAlbumOfOptOuts(deps, token))
  const by: Actor = { role: 'owner', address }
  // A new owner key or address ends the right of the former owner, also between two of many.
  const isAllowed = (locked: Album) => isLinkOfOptOuts(deps.keyring, token, locked)
  await changeOptOuts(deps, album, ids, change, by, isAllowed)
  return await listOf(deps, await findAlbumOfOptOuts(deps, token))
}

async function listOf({ db }: LimitDeps, album: Album): Promise<OptOutsOutput> {
  const optOuts = await optOutsOfAlbum(db, album.id)
  return {
    displayName: album.display_name,
    albumName: album.slug,
    optOuts: optOuts.map((optOut) => ({ id: optOut.id, ...stateOf(optOut) })),
  }
}
