import type { AppContext } from '../context.ts'
import { AppError, hasCode } from '../errors.ts'
import { countWithin, readCount } from './visitor-queries.ts'

interface RateLimit {
  windowSeconds: number
  /** Calls of one network or album in a window. The guests of a party share one network. */
  calls: number
  /** Calls of one session. A caller with a session is counted by it only, so that nobody locks out those behind the same
   *  network. */
  ofSession?: number
  message: string
}

export type RateLimits = Record<
  | 'unknownName'
  | 'albumsOfDay'
  | 'wrongSecret'
  | 'changeAlbum'
  | 'changePhotos'
  | 'newAddress'
  | 'upload'
  | 'selfie'
  | 'selfieOfStranger'
  | 'optOut'
  | 'letter'
  | 'logOut'
  | 'zip',
  RateLimit
>

const TOO_MANY_SEARCHES = 'Too many searches. Please wait a few minutes and try again.'

/** Large enough for a party of 500 guests behind one address. */
export const RATE_LIMITS: RateLimits = {
  // By network. Each name counts once. Guests open links, so even a hall mistypes few.
  unknownName: {
    windowSeconds: 600,
    calls: 300,
    message: 'Too many names of albums were tried from here. Please wait a few minutes and try again.',
  },
  // By network, and by email address. ALBUMS_PER_DAY sets the number.
  albumsOfDay: {
    windowSeconds: 86_400,
    calls: 100,
    message:
      'Too many albums were made today from here or for this email address. Please try again tomorrow.',
  },
  // By network: passwords, owner keys, invitation codes, links of letters, ADMIN_TOKEN. Every second guest of 500 may mistype
  // a password once. Secrets are long and random, so nobody finds one by trying, and a right one always gets in.
  wrongSecret: {
    windowSeconds: 600,
    calls: 300,
    message:
      'Too many wrong passwords, keys, codes or links came from here. Only a right one is accepted now. Please check it.',
  },
  // By album: its password, owner key, settings and name. Each may be an event in the audit log.
  changeAlbum: {
    windowSeconds: 3600,
    calls: 300,
    message: 'Too many changes of this album. Please wait a while and try again.',
  },
  // By album: photos that are deleted, hidden, shown and tried again, and shifted clocks. An owner may look at them one by one.
  changePhotos: {
    windowSeconds: 3600,
    calls: 3000,
    message: 'Too many changes of this album. Please wait a while and try again.',
  },
  // By album. Each may be a letter to an address that nobody has confirmed. How many letters a mailbox gets is limited in
  // src/letters/limits.ts.
  newAddress: {
    windowSeconds: 86_400,
    calls: 5,
    message: 'Too many letters were asked for this address or album today. Please try again tomorrow.',
  },
  // By album. Ten batches a second are more than any machine reads.
  upload: {
    windowSeconds: 600,
    calls: 6000,
    message: 'Too many uploads to this album. Please wait a few minutes and try again.',
  },
  selfie: { windowSeconds: 600, calls: 3000, ofSession: 60, message: TOO_MANY_SEARCHES },
  // By network. These are read before their caller has shown any right.
  selfieOfStranger: { windowSeconds: 600, calls: 60, message: TOO_MANY_SEARCHES },
  // Each is a row, a part of a letter to the owner, and an event in the audit log. How many faces a network may hide is limited
  // in src/opt-outs/opt-out.ts.
  optOut: {
    windowSeconds: 3600,
    calls: 600,
    ofSession: 10,
    message: 'Too many guests have opted out from here. Please wait a while and try again.',
  },
  // By session and by network. Each is a letter to an address that nobody has confirmed.
  letter: {
    windowSeconds: 86_400,
    calls: 3000,
    ofSession: 10,
    message: 'Too many letters were asked for from here. Please try again tomorrow.',
  },
  // By network. Each is a row that is kept as long as a cookie is valid.
  logOut: {
    windowSeconds: 600,
    calls: 3000,
    message: 'Too many people have logged out from here. Please wait a few minutes and try again.',
  },
  // While photos are prepared a page calls again after 20 seconds, so 30 times in these ten minutes. The downloads that
  // follow are not counted, as those of single photos are not.
  zip: {
    windowSeconds: 600,
    calls: 15_000,
    ofSession: 120,
    message: 'Too many downloads were prepared. Please wait a few minutes and try again.',
  },
}

/** Whom a call is counted for. Any text will do: only keyed hashes of it are stored. */
interface Who {
  /** The caller's network (see `callerNetwork`), or the id of an album. */
  address: string
  sessionId?: string | undefined
}

/** Counts a call. A call that is refused is not counted, so a limit that is raised holds at once. The counts are in
 *  Postgres, so a limit holds for all processes together.
 *  @returns the calls of this window, this one included
 *  @throws AppError TOO_MANY_REQUESTS, with the seconds to wait. */
export async function countCall(
  deps: Pick<AppContext, 'db' | 'keyring' | 'limits'>,
  kind: keyof RateLimits,
  who: Who,
): Promise<number> {
  const { key, most } = counterOf(deps, kind, who)
  const { windowSeconds } = deps.limits[kind]
  const counted = await countWithin(deps.db, key, { windowSeconds, most })
  if (counted !== undefined) return counted
  const { secondsLeft } = await readCount(deps.db, key)
  throw tooManyCalls(deps.limits[kind], secondsLeft || undefined)
}

/** Checks whether one more call would be within the limit, without counting it.
 *  @throws AppError TOO_MANY_REQUESTS, with the seconds to wait. */
export async function requireWithin(
  deps: Pick<AppContext, 'db' | 'keyring' | 'limits'>,
  kind: keyof RateLimits,
  who: Who,
): Promise<void> {
  const { key, most } = counterOf(deps, kind, who)
  const { count, secondsLeft } = await readCount(deps.db, key)
  if (count >= most) throw tooManyCalls(deps.limits[kind], secondsLeft || undefined)
}

/** Counts something wrong: a name, or a secret. A right one is always accepted: otherwise who sends many wrong ones could
 *  lock others out.
 *  @param onLimit runs when this call is the last one that the limit allows: once in a window
 *  @throws AppError TOO_MANY_REQUESTS above the limit, with the seconds until wrong ones are answered as usual. */
export async function countWrong(
  deps: Pick<AppContext, 'db' | 'keyring' | 'limits'>,
  kind: 'unknownName' | 'wrongSecret',
  who: Who,
  onLimit?: () => Promise<void>,
): Promise<void> {
  if ((await countCall(deps, kind, who)) === deps.limits[kind].calls) await onLimit?.()
}

/** Finds what a secret opens. A secret that opens nothing is counted as wrong.
 *  @throws what `find` throws, or TOO_MANY_REQUESTS in place of its NOT_FOUND */
export async function findOrCountWrong<Found>(
  deps: Pick<AppContext, 'db' | 'keyring' | 'limits'>,
  who: Who,
  find: () => Found | Promise<Found>,
): Promise<Found> {
  try {
    return await find()
  } catch (error) {
    if (hasCode(error, 'NOT_FOUND')) await countWrong(deps, 'wrongSecret', who)
    throw error
  }
}

function counterOf(
  { keyring, limits }: Pick<AppContext, 'keyring' | 'limits'>,
  kind: keyof RateLimits,
  { address, sessionId }: Who,
): { key: Buffer; most: number } {
  const { calls, ofSession } = limits[kind]
  const isOfSession = sessionId !== undefined && ofSession !== undefined
  const caller = isOfSession ? `session ${sessionId}` : `address ${address}`
  return { key: keyring.mac('address-hash', `${kind} ${caller}`), most: isOfSession ? ofSession : calls }
}

/** @param seconds to wait before the next call */
export function tooManyCalls(limit: RateLimit, seconds = limit.windowSeconds): AppError {
  return new AppError('TOO_MANY_REQUESTS', limit.message, { retryAfter: Math.ceil(seconds) })
}
