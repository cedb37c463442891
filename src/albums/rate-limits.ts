import type { Db } from '../database/client.ts'
import { AppError } from '../errors.ts'
import type { Keyring } from '../keyring.ts'
import { type Counted, countUp, readCounts } from './limit-queries.ts'

interface RateLimit {
  windowSeconds: number
  /** Calls of one caller. A caller is a session or a network address; a party's guests share one address. */
  perCaller: number
  /** Calls on one album by all callers together. Above `calls`, a caller who has made more than `fairShare` of
   *  them has to wait. Other callers still get in, so nobody can lock an album's guests out. */
  perAlbum?: { calls: number; fairShare: number }
  message: string
}

export type RateLimits = Record<'createAlbum' | 'wrongPassword' | 'wrongOwnerKey' | 'selfie', RateLimit>

/** Large enough for several hundred guests behind one address. A password has 57 random bits, so even 1,000 wrong
 *  passwords in ten minutes never find it. */
export const RATE_LIMITS: RateLimits = {
  createAlbum: {
    windowSeconds: 3600,
    perCaller: 60,
    message: 'Too many albums were made from here. Please wait a while and try again.',
  },
  wrongPassword: {
    windowSeconds: 600,
    perCaller: 100,
    perAlbum: { calls: 1000, fairShare: 5 },
    message: 'Too many wrong passwords. Please wait a few minutes and try again.',
  },
  wrongOwnerKey: {
    windowSeconds: 600,
    perCaller: 100,
    message: 'Too many wrong owner keys. Please wait a few minutes and try again.',
  },
  selfie: {
    windowSeconds: 600,
    perCaller: 60,
    perAlbum: { calls: 6000, fairShare: 10 },
    message: 'Too many searches. Please wait a few minutes and try again.',
  },
}

export interface LimitDeps {
  db: Db
  keyring: Keyring
  limits: RateLimits
}

/** The caller and the album of a call. Any text will do: only keyed hashes of it are stored. */
interface Who {
  caller: string
  albumId?: string
}

/** Counts a call. The counts are in Postgres, so a limit holds for all processes together.
 *  @throws AppError TOO_MANY_REQUESTS, with the seconds to wait. */
export async function countCall(deps: LimitDeps, kind: keyof RateLimits, who: Who): Promise<void> {
  const limit = deps.limits[kind]
  refuseBeyond(limit, await countUp(deps.db, keysOf(deps.keyring, kind, who), limit.windowSeconds), 0)
}

/** Refuses a call above the limit without counting it. For calls of which only the failures count.
 *  @throws AppError TOO_MANY_REQUESTS, with the seconds to wait. */
export async function refuseIfLimited(deps: LimitDeps, kind: keyof RateLimits, who: Who): Promise<void> {
  refuseBeyond(deps.limits[kind], await readCounts(deps.db, keysOf(deps.keyring, kind, who)), 1)
}

function keysOf(keyring: Keyring, kind: string, { caller, albumId }: Who): Buffer[] {
  const callerKey = keyring.mac('address-hash', `${kind} ${albumId ?? ''} ${caller}`)
  return albumId ? [callerKey, keyring.mac('address-hash', `${kind} ${albumId}`)] : [callerKey]
}

/** @param further calls that the counts do not contain yet */
function refuseBeyond(limit: RateLimit, [caller, album]: Counted[], further: number): void {
  const isCrowded = limit.perAlbum && album && album.count + further > limit.perAlbum.calls
  const allowed = isCrowded ? Math.min(limit.perAlbum!.fairShare, limit.perCaller) : limit.perCaller
  if (!caller || caller.count + further <= allowed) return
  throw tooManyCalls(limit, caller.secondsLeft)
}

/** @param seconds to wait before the next call */
export function tooManyCalls(limit: RateLimit, seconds = limit.windowSeconds): AppError {
  return new AppError('TOO_MANY_REQUESTS', limit.message, { retryAfter: Math.ceil(seconds) })
}
