import type { Db } from '../database/client.ts'
import { AppError } from '../errors.ts'
import { createGate } from '../gate.ts'
import type { Keyring } from '../keyring.ts'
import { countUp } from './limit-queries.ts'

interface RateLimit {
  windowSeconds: number
  /** Calls from one network address. The guests of a party share one address. */
  perAddress: number
  /** Calls of one session. A new session starts at zero, so this limit is not enough without `perAddress`. */
  perSession?: number
  /** Calls on one album by all callers together. Above `calls`, a caller who has made more than `fairShare` of
   *  them has to wait. Other callers still get in, so nobody can lock an album's guests out. */
  perAlbum?: { calls: number; fairShare: number }
  message: string
}

export type RateLimits = Record<
  | 'createAlbum'
  | 'albumsOfDay'
  | 'wrongPassword'
  | 'wrongInvitation'
  | 'wrongOwnerKey'
  | 'wrongAdminToken'
  | 'changeSecret'
  | 'changeSettings'
  | 'logOut'
  | 'selfie'
  | 'selfieOfStranger'
  | 'takeOut'
  | 'letterLink'
  | 'alert'
  | 'alertLetter'
  | 'zip',
  RateLimit
>

const TOO_MANY_SEARCHES = 'Too many searches. Please wait a few minutes and try again.'

/** Large enough for a party of 500 guests behind one address. A password has 57 random bits, so even 3,000 wrong
 *  passwords in ten minutes never find it. */
export const RATE_LIMITS: RateLimits = {
  createAlbum: {
    windowSeconds: 3600,
    perAddress: 60,
    message: 'Too many albums were made from here. Please wait a while and try again.',
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
    message: 'Too many wrong passwords. Please wait a few minutes and try again.',
  },
  wrongInvitation: {
    windowSeconds: 600,
    perAddress: 100,
    message: 'Too many wrong invitation codes. Please wait a few minutes and try again.',
  },
  wrongOwnerKey: {
    windowSeconds: 600,
    perAddress: 100,
    message: 'Too many wrong owner keys. Please wait a few minutes and try again.',
  },
  wrongAdminToken: {
    windowSeconds: 600,
    perAddress: 30,
    message: 'Too many wrong values of ADMIN_TOKEN came from here. Please wait a few minutes and try again.',
  },
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
  /** Each is a row that is kept as long as a cookie is valid. All 500 guests of a party may log out six times. */
  logOut: {
    windowSeconds: 600,
    perAddress: 3000,
    message: 'Too many people have logged out from here. Please wait a few minutes and try again.',
  },
  selfie: {
    windowSeconds: 600,
    // Six selfies for each of 500 guests.
    perAddress: 3000,
    perSession: 60,
    perAlbum: { calls: 6000, fairShare: 10 },
    message: TOO_MANY_SEARCHES,
  },
  // Selfies that are read before their caller has shown any right.
  selfieOfStranger: { windowSeconds: 600, perAddress: 60, message: TOO_MANY_SEARCHES },
  // Each is a letter to the owner, or a part of one, and an event in the audit log.
  takeOut: {
    windowSeconds: 3600,
    perAddress: 500,
    perSession: 10,
    message: 'Too many guests were taken out from here. Please wait a while and try again.',
  },
  // The guests of a hall may all open a link that the owner has copied from the letter.
  letterLink: {
    windowSeconds: 600,
    perAddress: 1000,
    message: 'Too many links of letters were opened from here. Please wait a few minutes and try again.',
  },
  // Each is a letter to an address that nobody has confirmed. All 500 guests of a party may ask.
  alert: {
    windowSeconds: 86_400,
    perAddress: 600,
    perSession: 10,
    message: 'Too many letters were asked for from here. Please try again tomorrow.',
  },
  // Counted for the album and the email address together, in place of a network address.
  alertLetter: {
    windowSeconds: 86_400,
    perAddress: 3,
    message: 'Too many letters were sent to this address today. Please try again tomorrow.',
  },
  // While photos are prepared a page calls again after 20 seconds, so 30 times in these ten minutes. The downloads that
  // follow are not counted, as those of single photos are not.
  zip: {
    windowSeconds: 600,
    perAddress: 15_000,
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
  sessionId?: string | undefined
  albumIds?: string[]
}

/** Counts a call, for its address, its session and its albums at once. The counts are in Postgres, so a limit holds for
 *  all processes together.
 *  @throws AppError TOO_MANY_REQUESTS, with the seconds to wait. */
export async function countCall(deps: LimitDeps, kind: keyof RateLimits, who: Who): Promise<void> {
  const { refusal } = await countUpTo(deps, kind, who, 1)
  if (refusal) throw refusal
}

/** Simultaneous attempts wait for the same rows. They must not hold all database connections of this process. */
const attempts = createGate(2)

/** Counts a call only when it has failed. Call it before the caller learns the outcome: above the limit the caller must
 *  not learn it. Counting and reading the limit is one statement, so simultaneous attempts cannot all pass. A call that
 *  did not fail costs the same time as one that did.
 *  @param onLimit runs when this call is the last one that a limit allows: once in a window for each limit
 *  @throws AppError TOO_MANY_REQUESTS, with the seconds to wait. */
export async function countIfFailed(
  deps: LimitDeps,
  kind: keyof RateLimits,
  who: Who,
  hasFailed: boolean,
  onLimit: () => Promise<void> = async () => {},
): Promise<void> {
  const { refusal, isLast } = await attempts(() => countUpTo(deps, kind, who, hasFailed ? 1 : 0))
  if (isLast) await onLimit()
  if (refusal) throw refusal
}

/** Counts `amount` for each counter of a call.
 *  @param amount 1, or 0 for a call that is held against the limits without being counted
 *  @returns `refusal` when a counter is above its limit; `isLast` when this call has brought a counter to its limit */
async function countUpTo(
  { db, keyring, limits }: LimitDeps,
  kind: keyof RateLimits,
  who: Who,
  amount: 0 | 1,
): Promise<{ refusal: AppError | undefined; isLast: boolean }> {
  const limit = limits[kind]
  const rules = rulesFor(limit, who)
  const counters = rules.flatMap(({ counter, crowd }) => (crowd ? [counter, crowd.counter] : [counter]))
  const keys = counters.map((counter) => keyring.mac('address-hash', `${kind} ${counter}`))
  const counted = await countUp(db, keys, limit.windowSeconds, amount)
  const counts = new Map(counters.map((counter, index) => [counter, counted[index]!]))
  const isAbove = (counter: string, allowed: number) => counts.get(counter)!.count + 1 - amount > allowed
  const broken = rules.find(
    ({ counter, allowed, crowd }) =>
      isAbove(counter, allowed) && (!crowd || isAbove(crowd.counter, crowd.calls)),
  )
  const limited = rules.map(({ crowd, ...rule }) => (crowd ? { ...crowd, allowed: crowd.calls } : rule))
  return {
    refusal: broken && tooManyCalls(limit, counts.get(broken.counter)!.secondsLeft),
    isLast: amount === 1 && limited.some(({ counter, allowed }) => counts.get(counter)!.count === allowed),
  }
}

/** A counter and how many calls it allows. With `crowd`, it only limits while the crowd's counter is above `calls`. */
interface Rule {
  counter: string
  allowed: number
  crowd?: { counter: string; calls: number }
}

function rulesFor(limit: RateLimit, { address, sessionId, albumIds = [] }: Who): Rule[] {
  const rules: Rule[] = [{ counter: `address ${address}`, allowed: limit.perAddress }]
  if (sessionId && limit.perSession !== undefined)
    rules.push({ counter: `session ${sessionId}`, allowed: limit.perSession })
  if (!limit.perAlbum) return rules
  const { calls, fairShare } = limit.perAlbum
  const caller = sessionId ? `session ${sessionId}` : `address ${address}`
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
