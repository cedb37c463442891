import { type OwnedAlbum, withOwnedAlbum } from '../albums/access.ts'
import type { AppContext } from '../context.ts'
import type { Trx } from '../database/client.ts'
import type { Album } from '../database/schema.ts'
import { withAlbum } from '../database/transaction.ts'
import { requestLetter } from '../letters/request.ts'
import {
  albumsWithQuietRounds,
  closeRound,
  completeClosedRounds,
  findOpenRound,
  markCompleted,
} from './queries.ts'

/** This ends the rounds of clients that stop sending. */
const QUIET_SECONDS = 120

/** Completes the album when nothing is left to do: its rounds are closed and every stored photo is settled. An
 *  album without a photo is not complete, because there is nothing to search.
 *  @param album locked by this transaction, with its current counters. So only one transaction completes it, and
 *  the letter is sent once. */
export async function completeIfDone(
  trx: Trx,
  deps: Pick<AppContext, 'jobs' | 'keyring'>,
  album: Album,
): Promise<void> {
  if (album.photos_stored === 0 || album.photos_settled < album.photos_stored) return
  const completed = await completeClosedRounds(trx, album.id)
  if (completed.length === 0) return
  await markCompleted(trx, album.id)
  // A round that stored nothing gets no letter.
  if (completed.some(({ photos_added }) => photos_added > 0))
    await requestLetter(trx, deps, { kind: 'ready', album })
}

/** The owner says that no more photos are expected: closes the album's open upload round, if there is one. */
export async function finishUpload(
  deps: Pick<AppContext, 'db' | 'jobs' | 'keyring'>,
  owned: OwnedAlbum,
): Promise<void> {
  await withOwnedAlbum(deps.db, owned, (trx, album) => closeOpenRound(trx, deps, album))
}

/** Closes the rounds whose clients have stopped sending. */
export async function closeQuietRounds(
  deps: Pick<AppContext, 'db' | 'jobs' | 'keyring'>,
  quietSeconds = QUIET_SECONDS,
): Promise<void> {
  // A batch may arrive meanwhile, so each album is checked again under its lock.
  for (const albumId of await albumsWithQuietRounds(deps.db, quietSeconds))
    await withAlbum(deps.db, albumId, async (trx, album) => {
      if (album) await closeOpenRound(trx, deps, album, quietSeconds)
    })
}

/** @param album locked by this transaction
 *  @param quietSeconds when given, closes only a round without activity for so long. */
async function closeOpenRound(
  trx: Trx,
  deps: Pick<AppContext, 'jobs' | 'keyring'>,
  album: Album,
  quietSeconds?: number,
): Promise<void> {
  const round = await findOpenRound(trx, album.id, quietSeconds)
  if (!round) return
  await closeRound(trx, round.id)
  await completeIfDone(trx, deps, album)
}
