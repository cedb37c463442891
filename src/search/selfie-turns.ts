import { randomUUID } from 'node:crypto'
import { LAST_SELFIE_IN_WORK } from '../contract/wording.ts'
import type { Db } from '../database/client.ts'
import { AppError } from '../errors.ts'
import type { Keyring } from '../keyring.ts'
import { announce } from '../queues/notification-queries.ts'
import type { Notifications } from '../queues/notifications.ts'
import { giveTurnBack, takeTurn } from './selfie-turn-queries.ts'

interface Deps {
  db: Db
  keyring: Keyring
  notifications: Notifications
}

/** Ms that a selfie waits for the caller's last one, which usually takes a second. */
const TURN_WAIT_MS = 10_000
/** A turn ends after this time when its process has died. */
const TURN_SECONDS = 60

/** Runs `work` while no other selfie of the caller is in work in any process.
 *  @param caller a session or an address. Only a keyed hash of it is stored
 *  @param hungUp aborts when the caller has hung up, so that nobody waits any more
 *  @throws AppError TOO_MANY_REQUESTS when the last selfie is still in work after `waitMs`. */
export async function inTurn<Result>(
  { db, keyring, notifications }: Deps,
  caller: string,
  hungUp: AbortSignal,
  work: () => Promise<Result>,
  waitMs = TURN_WAIT_MS,
): Promise<Result> {
  const hash = keyring.mac('address-hash', `selfie turn ${caller}`)
  const key = `selfie turn ${hash.toString('base64url')}`
  const holder = randomUUID()
  const isMyTurn = await notifications.waitFor(
    key,
    async () => (!hungUp.aborted && (await takeTurn(db, hash, holder, TURN_SECONDS))) || undefined,
    AbortSignal.any([hungUp, AbortSignal.timeout(waitMs)]),
  )
  if (!isMyTurn) throw lastSelfieInWork()
  try {
    return await work()
  } finally {
    // A turn that cannot be given back ends by itself. The result counts.
    await giveTurnBack(db, hash, holder)
      .then(() => announce(db, key))
      .catch(() => {})
  }
}

export const lastSelfieInWork = () =>
  new AppError('TOO_MANY_REQUESTS', `${LAST_SELFIE_IN_WORK} Please wait a few seconds and try again.`, {
    retryAfter: 3,
  })
