import type { Db } from '../database/client.ts'
import { databaseUnavailable } from '../database/faults.ts'
import { AppError, hasCode } from '../errors.ts'
import type { Keyring } from '../keyring.ts'
import { createTurns } from '../processes/turns.ts'
import { type Counted, countUp, readCounts } from './limit-queries.ts'

interface RateLimit {
  windowSeconds: number
  /** Calls from one network address. The guests of a party share one address. */
  perAddress: number
  /** Above `perAddress`, a session that has made more than so many calls has to wait. Other sessions still get in, so
   *  nobody can lock out those behind the same address. */
  sessionShare?: number
  /** Calls of one session. A new session starts at zero, so this limit is not enough without `perAddress`. */
  perSession?: number
  /** Calls on one album by all callers together. Above `calls`, a caller who has made more than `fairShare` of
   *  them has to wait. Other callers still get in, so nobody can lock an album's guests out. */
  perAlbum?: { calls: number; fairShare: number }
  message: string
}

export type RateLimits = Record<
  | 'unknownName'
  | 'albumsOfDay'
  | 'wrongPassword'
  | 'wrongInvitation'
  | 'wrongOwnerKey'
  | 'wrongAdminToken'
  | 'changeSecret'
  | 'changeSettings'
  | 'changeAddress'
  | 'logOut'
  | 'selfie'
  | 'unreadableSelfie'
  | 'selfieOfStranger'
  | 'optOut'
  | 'letterLink'
  | 'alert'
  | 'alertLetter'
  | 'alertOfNetwork'
  | 'zip',
  RateLimit
>

const TOO_MANY_ALERTS =
  'Too many letters were asked for from here or in this album. Please try again tomorrow.'
const TOO_MANY_SEARCHES = 'Too many searches. Please wait a few minutes and try again.'

/** Large enough for a party of 500 guests behind one address. The limits of wrong secrets hold for wrong ones only: a
 *  right one always gets in. */
export const RATE_LIMITS: RateLimits = {
  // Each name counts once. Guests open links, so even a hall mistypes few.
  unknownName: {
    windowSeconds: 600,
    perAddress: 300,
    message: 'Too many names of albums were tried from here. Please wait a few minutes and try again.',
  },
  // ALBUMS_PER_DAY sets the number. An email address is counted like a network address.
  albumsOfDay: {
    windowSeconds: 86_400,
    perAddress: 100,
    message:
      'Too many albums were made today from here or for this email address. Please try again tomorrow.',
  },
  wrongPassword: {
    windowSeconds: 600,
    // Every second guest of 500 may mistype it once. These calls have no session, so the fair share is also that of
    // an address.
    perAddress: 300,
    perAlbum: { calls: 3000, fairShare: 100 },
    message: 'Too many wrong passwords. Only the right one is accepted now. Please check it.',
  },
  wrongInvitation: {
    windowSeconds: 600,
    perAddress: 100,
    message: 'Too many wrong invitation codes. Only a right one is accepted now. Please check it.',
  },
  wrongOwnerKey: {
    windowSeconds: 600,
    perAddress: 100,
    message: 'Too many wrong owner keys. Only a right one is accepted now. Please check it.',
  },
  wrongAdminToken: {
    windowSeconds: 600,
    perAddress: 30,
    message:
      'Too many wrong values of ADMIN_TOKEN came from here. Only the right one is accepted now. Please check it.',
  },
  // Owners change their album's secrets and settings. These are counted for the album, in place of a network address, so
  // that no other owner behind the same address uses them up.
  /** New passwords and owner keys. Each is an event in the audit log. */
  changeSecret: {
    windowSeconds: 3600,
    perAddress: 60,
    message: 'Too many new passwords and owner keys. Please wait a while and try again.',
  },
  /** Each may be an event in the audit log. */
  changeSettings: {
    windowSeconds: 3600,
    perAddress: 300,
    message: 'Too many changes of settings. Please wait a while and try again.',
  },
  // Each is a letter to an address that nobody has confirmed.
  changeAddress: {
    windowSeconds: 86_400,
    perAddress: 5,
    message: 'Too many letters were asked for this address or album today. Please try again tomorrow.',
  },
  /** Each is a row that is kept as long as a cookie is valid. All 500 guests of a party may log out six times. */
  logOut: {
    windowSeconds: 600,
    perAddress: 3000,
    sessionShare: 1,
    message: 'Too many people have logged out from here. Please wait a few minutes and try again.',
  },
  selfie: {
    windowSeconds: 600,
    // Six selfies for each of 500 guests.
    perAddress: 3000,
    sessionShare: 10,
    perSession: 60,
    perAlbum: { calls: 6000, fairShare: 10 },
    message: TOO_MANY_SEARCHES,
  },
  // Pictures that could not be decoded. Only who sends them has to wait.
  unreadableSelfie: {
    windowSeconds: 600,
    perAddress: 300,
    sessionShare: 5,
    perSession: 20,
    message: 'Too many pictures that are not readable. Please wait a few minutes and try again.',
  },
  // Selfies that are read before their caller has shown any right.
  selfieOfStranger: { windowSeconds: 600, perAddress: 60, message: TOO_MANY_SEARCHES },
  // Each is a row, a part of a letter to the owner, and an event in the audit log. All 500 guests of a party may opt out. How
  // many faces they may hide is limited in src/opt-outs/limits.ts.
  optOut: {
    windowSeconds: 3600,
    perAddress: 600,
    sessionShare: 1,
    perSession: 10,
    perAlbum: { calls: 200, fairShare: 3 },
    message: 'Too many guests have opted out from here. Please wait a while and try again.',
  },
  // Links that are not valid. The guests of a hall may all open one that the owner has copied from a letter.
  letterLink: {
    windowSeconds: 600,
    perAddress: 1000,
    message:
      'Too many wrong links of letters came from here. Only a right one is accepted now. Please check it.',
  },
  // Each is a letter to an address that nobody has confirmed. All 500 guests of a party may ask, also when somebody with
  // many mailboxes has used up their address.
  alert: {
    windowSeconds: 86_400,
    perAddress: 600,
    sessionShare: 2,
    perSession: 10,
    message: TOO_MANY_ALERTS,
  },
  // Counted for the album, the email address and the network together, so that nobody uses up what somebody else's
  // mailbox gets.
  alertLetter: {
    windowSeconds: 86_400,
    perAddress: 3,
    message: 'Too many letters were sent to this address today. Please try again tomorrow.',
  },
  // Without a session: sessions are free, so their shares alone would have no end. The share of an album is that of a
  // network, and enough for a party of 500 guests.
  alertOfNetwork: {
    windowSeconds: 86_400,
    perAddress: 3000,
    perAlbum: { calls: 3000, fairShare: 600 },
    message: TOO_MANY_ALERTS,
  },
  // While photos are prepared a page calls again after 20 seconds, so 30 times in these ten minutes. The downloads that
  // follow are not counted, as those of single photos are not.
  zip: {
    windowSeconds: 600,
    perAddress: 15_000,
    sessionShare: 30,
    perSession: 120,
    perAlbum: { calls: 15_000, fairShare: 30 },
    message: 'Too many downloads were prepared. Please wait a few minutes and try again.',
  },
}

export interface LimitDeps {
  db: Db
  keyring: Keyring
  limits: RateLimits
}

/** Who makes a call, and on which albums. Any text will do: only keyed hashes of it are stored. */
interface Who {
  /** The caller's network: see `callerNetwork`. */
  address: string
  /** Whose turn it is, when `address` is something else. */
  network?: string | undefined
  sessionId?: string | undefined
  albumIds?: string[]
}

/** Counts a call, for its address, its session and its albums at once. A call that is refused counts for none of them:
 *  otherwise a session that is above its own limit would use up what others behind its address need, and a limit that
 *  is raised would not hold at once. The counts are in Postgres, so a limit holds for all processes together.
 *  @throws AppError TOO_MANY_REQUESTS, with the seconds to wait. */
export async function countCall(deps: LimitDeps, kind: keyof RateLimits, who: Who): Promise<void> {
  await requireWithin(deps, [kind], who)
  // Simultaneous calls may have passed that together.
  const { refusal, takeBack } = await countUpTo(deps, kind, who)
  if (!refusal) return
  await takeBack()
  throw refusal
}

/** Checks whether one more call of each kind would be within the limits, without counting it.
 *  @throws AppError TOO_MANY_REQUESTS, with the seconds to wait. */
export async function requireWithin(
  deps: LimitDeps,
  kinds: readonly (keyof RateLimits)[],
  who: Who,
): Promise<void> {
  const asked = kinds.map((kind) => ({ kind, rules: rulesFor(deps.limits[kind], who) }))
  const keys = asked.flatMap(({ kind, rules }) => keysOf(deps, kind, countersOf(rules)))
  const counted = await readCounts(deps.db, keys)
  for (const { kind, rules } of asked) {
    const counters = countersOf(rules)
    const refusal = refusalOf(
      deps.limits[kind],
      rules,
      countsOf(counters, counted.splice(0, counters.length)),
      1,
    )
    if (refusal) throw refusal
  }
}

/** Counts a secret that turned out to be wrong: a password, a key, a code, a token. Secrets are long and random, so nobody
 *  finds one by trying, and a right one is always accepted: otherwise who sends many wrong ones could lock others out.
 *  @param onLimit runs when this call is the last one that a limit allows: once in a window for each limit
 *  @throws AppError TOO_MANY_REQUESTS above the limit, with the seconds until wrong ones are answered as usual. */
export async function countWrong(
  deps: LimitDeps,
  kind: keyof RateLimits,
  who: Who,
  onLimit: () => Promise<void> = async () => {},
): Promise<void> {
  const { refusal, isLast } = await countUpTo(deps, kind, who)
  if (isLast) await onLimit()
  if (refusal) throw refusal
}

/** Finds what a secret opens. A secret that opens nothing is counted as wrong.
 *  @throws what `find` throws, or TOO_MANY_REQUESTS in place of its NOT_FOUND */
export async function findOrCountWrong<Found>(
  deps: LimitDeps,
  kind: keyof RateLimits,
  who: Who,
  find: () => Found | Promise<Found>,
): Promise<Found> {
  try {
    return await find()
  } catch (error) {
    if (hasCode(error, 'NOT_FOUND')) await countWrong(deps, kind, who)
    throw error
  }
}

/** Simultaneous calls wait for the rows of their counters. They must not hold all database connections of this process, and
 *  those of one network must not delay the others. */
const inTurn = createTurns({ places: 3, perOwner: 2 })
/** Ms that a call waits for its turn. Most callers have given up by then. */
const TURN_WAIT_MS = 30_000

/** Counts a call for each of its counters.
 *  @returns `refusal` when a counter is above its limit; `isLast` when this call has brought a counter to its limit;
 *    `takeBack` counts it no longer */
async function countUpTo(
  deps: LimitDeps,
  kind: keyof RateLimits,
  who: Who,
): Promise<{ refusal: AppError | undefined; isLast: boolean; takeBack: () => Promise<unknown> }> {
  const limit = deps.limits[kind]
  const rules = rulesFor(limit, who)
  const counters = countersOf(rules)
  const keys = keysOf(deps, kind, counters)
  const counted = await inTurn(who.network ?? who.address, AbortSignal.timeout(TURN_WAIT_MS), () =>
    countUp(deps.db, keys, limit.windowSeconds),
  )
  if (!counted) throw databaseUnavailable()
  const counts = countsOf(counters, counted)
  const limited = rules.map(({ crowd, ...rule }) => (crowd ? { ...crowd, allowed: crowd.calls } : rule))
  return {
    refusal: refusalOf(limit, rules, counts, 0),
    isLast: limited.some(({ counter, allowed }) => counts.get(counter)!.count === allowed),
    takeBack: () => countUp(deps.db, keys, limit.windowSeconds, -1),
  }
}

/** Two rules may have a counter in common. */
function countersOf(rules: Rule[]): string[] {
  return [...new Set(rules.flatMap(({ counter, crowd }) => (crowd ? [counter, crowd.counter] : [counter])))]
}

function keysOf({ keyring }: LimitDeps, kind: keyof RateLimits, counters: string[]): Buffer[] {
  return counters.map((counter) => keyring.mac('address-hash', `${kind} ${counter}`))
}

const countsOf = (counters: string[], counted: Counted[]): Map<string, Counted> =>
  new Map(counters.map((counter, index) => [counter, counted[index]!]))

/** @param further calls that are not counted yet */
function refusalOf(
  limit: RateLimit,
  rules: Rule[],
  counts: Map<string, Counted>,
  further: 0 | 1,
): AppError | undefined {
  const isAbove = (counter: string, allowed: number) => counts.get(counter)!.count + further > allowed
  const broken = rules.find(
    ({ counter, allowed, crowd }) =>
      isAbove(counter, allowed) && (!crowd || isAbove(crowd.counter, crowd.calls)),
  )
  return broken && tooManyCalls(limit, counts.get(broken.counter)!.secondsLeft)
}

/** A counter and how many calls it allows. With `crowd`, it only limits while the crowd's counter is above `calls`. */
interface Rule {
  counter: string
  allowed: number
  crowd?: { counter: string; calls: number }
}

function rulesFor(limit: RateLimit, { address, sessionId, albumIds = [] }: Who): Rule[] {
  const ofAddress = `address ${address}`
  const ofSession = `session ${sessionId}`
  const rules: Rule[] =
    sessionId && limit.sessionShare !== undefined
      ? [
          {
            counter: ofSession,
            allowed: limit.sessionShare,
            crowd: { counter: ofAddress, calls: limit.perAddress },
          },
        ]
      : [{ counter: ofAddress, allowed: limit.perAddress }]
  if (sessionId && limit.perSession !== undefined)
    rules.push({ counter: ofSession, allowed: limit.perSession })
  if (!limit.perAlbum) return rules
  const { calls, fairShare } = limit.perAlbum
  const caller = sessionId ? ofSession : ofAddress
  const shares = albumIds.map((id) => ({
    counter: `album ${id} ${caller}`,
    allowed: fairShare,
    crowd: { counter: `album ${id}`, calls },
  }))
  return [...rules, ...shares]
}

/** @param seconds to wait before the next call */
export function tooManyCalls(limit: RateLimit, seconds = limit.windowSeconds): AppError {
  return new AppError('TOO_MANY_REQUESTS', limit.message, { retryAfter: Math.ceil(seconds) })
}
