import type { JobSender } from '../queues/job-sender.ts'
import { queues } from '../queues/queues.ts'
import { findAlbumByToken } from './letter-links.ts'
import { findWaitingLetter, markAddressConfirmed, markLettersEnded } from './letter-queries.ts'
import { lockAlbum } from './queries.ts'
import { countCall, type LimitDeps } from './rate-limits.ts'

/** The token of a letter, and who uses it. */
interface Answer {
  token: string
  /** The caller's network address. */
  address: string
}

/** The album was opened through the link of its letter, so its address belongs to somebody who wants it. A letter that
 *  waits for the next day is sent now.
 *  @throws AppError NOT_FOUND, TOO_MANY_REQUESTS */
export async function confirmAddress(
  deps: LimitDeps & { jobs: JobSender },
  { token, address }: Answer,
): Promise<void> {
  await countCall(deps, 'letterLink', { address })
  const album = await findAlbumByToken(deps, 'confirm', token)
  // Guests open the same link when the owner passes it on.
  if (album.address_confirmed_at) return
  await deps.db.transaction().execute(async (trx) => {
    if (!(await lockAlbum(trx, album.id))) return
    await markAddressConfirmed(trx, album.id)
    const waiting = await findWaitingLetter(trx, album.id)
    if (waiting) await deps.jobs.send(trx, queues.sendLetter, [{ roundId: waiting.id }])
  })
}

/** Ends all letters from an album to its address.
 *  @returns whether they had ended before
 *  @throws AppError NOT_FOUND, TOO_MANY_REQUESTS */
export async function endLetters(
  deps: LimitDeps,
  { token, address }: Answer,
): Promise<{ hadEnded: boolean }> {
  await countCall(deps, 'letterLink', { address })
  const album = await findAlbumByToken(deps, 'stop', token)
  return { hadEnded: !(await markLettersEnded(deps.db, album.id)) }
}
