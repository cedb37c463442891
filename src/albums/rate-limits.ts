import type { Db } from '../database/client.ts'
import { AppError } from '../errors.ts'
import type { Keyring } from '../keyring.ts'
import { type Counted, countUp, readCounts } from './limit-queries.ts'

interface RateLimit {
  windowSeconds: number
  /** Calls of one caller: a session, or a network address. A party's guests share one address. */
  perCaller: number
  /** Calls on one album, by anyone. Beyond it a caller has to wait who has had a fair share; one who has not
   *  still gets in, so that nobody can lock an album's guests out. */
  perAlbum?: { calls: number; fairShare: number }
  message: string
}

export type RateLimits = Record<'createAlbum' | 'wrongPassword' | 'wrongOwnerKey' | 'selfie', RateLimit>

/** Sized for a hall full of guests behind one address. A password of 57 random bits needs no tighter one. */
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

/** Who calls, on which album: names of any kind, of which only keyed hashes are kept. */
interface Who {
  caller: string
  albumId?: string
}

/** Counts a call. It holds across processes: the counts are in Postgres.
 *  @throws AppError TOO_MANY_REQUESTS, with the seconds to wait. */
export async function countCall(deps: LimitDeps, kind: keyof RateLimits, who: Who): Promise<void> {
  const limit = deps.limits[kind]
  refuseBeyond(limit, await countUp(deps.db, keysOf(deps.keyring, kind, who), limit.windowSeconds), 0)
}

/** Refuses a call that would be one too many, without counting it: for those of which only failures count.
 *  @throws AppError TOO_MANY_REQUESTS, with the seconds to wait. */
export async function refuseIfLimited(deps: LimitDeps, kind: keyof RateLimits, who: Who): Promise<void> {
  refuseBeyond(deps.limits[kind], await readCounts(deps.db, keysOf(deps.keyring, kind, who)), 1)
}

function keysOf(keyring: Keyring, kind: string, { caller, albumId }: Who): Buffer[] {
  const callerKey = keyring.mac('address-hash', `${kind} ${albumId ?? ''} ${caller}`)
  return albumId ? [callerKey, keyring.mac('address-hash', `${kind} ${albumId}`)] : [callerKey]
}

/** @param further calls that are not in the counts yet. */
function refuseBeyond(limit: RateLimit, [caller, album]: Counted[], further: number): void {
  const isCrowded = limit.perAlbum && album && album.count + further > limit.perAlbum.calls
  const allowed = isCrowded ? Math.min(limit.perAlbum!.fairShare, limit.perCaller) : limit.perCaller
  if (!caller || caller.count + further <= allowed) return
  throw new AppError('TOO_MANY_REQUESTS', limit.message, { retryAfter: Math.ceil(caller.secondsLeft) })
}
