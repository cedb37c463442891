import type { Db, Trx } from '../database/client.ts'
import type { JobSender } from '../queues/job-sender.ts'
import { queues } from '../queues/queues.ts'
import { lockAlbum, markCompleted } from './queries.ts'
import { albumsWithQuietRounds, closeRound, completeClosedRounds, findOpenRound } from './round-queries.ts'

/** Clients that just stop sending end their round this way. */
const QUIET_SECONDS = 120

interface Deps {
  db: Db
  jobs: JobSender
}

/** Completes the album when nothing is left to do: its rounds closed and every stored photo settled. The
 *  letter's job is part of the transaction, so it is sent once, by whoever locked the album first. An album
 *  without a photo is not complete: there is nothing to search. */
export async function completeIfDone(trx: Trx, jobs: JobSender, albumId: string): Promise<void> {
  const album = await lockAlbum(trx, albumId)
  if (!album || album.photos_stored === 0 || album.photos_settled < album.photos_stored) return
  const completed = await completeClosedRounds(trx, albumId)
  if (completed.length === 0) return
  await markCompleted(trx, albumId)
  // Rounds that end together are one piece of news for the owner; one that brought nothing is none.
  const last = completed.findLast((round) => round.photos_added > 0)
  if (last) await jobs.send(trx, queues.sendLetter, [{ roundId: last.id }])
}

/** Closes the album's open upload round, if there is one: what is stored is all there will be.
 *  @param quietSeconds when given, only a round that has heard nothing for so long. */
export async function finishUpload(
  { db, jobs }: Deps,
  albumId: string,
  quietSeconds?: number,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await lockAlbum(trx, albumId)
    const round = await findOpenRound(trx, albumId, quietSeconds)
    if (!round) return
    await closeRound(trx, round.id)
    await completeIfDone(trx, jobs, albumId)
  })
}

/** Closes the rounds whose client has gone quiet. */
export async function closeQuietRounds(deps: Deps, quietSeconds = QUIET_SECONDS): Promise<void> {
  // A batch may arrive in between, so each album is asked again under its lock.
  for (const albumId of await albumsWithQuietRounds(deps.db, quietSeconds))
    await finishUpload(deps, albumId, quietSeconds)
}
