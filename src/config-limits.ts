import { z } from 'zod'

/** A variable with a whole number in this range, both ends included. */
export const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.number().min(min, `must be at least ${min}`).max(max, `must be at most ${max}`))

const MEGABYTE = 1_000_000
const GIGABYTE = 1_000_000_000

/** The variables that limit what visitors can use up. */
export const LIMIT_VARIABLES = {
  ALBUM_CREATION: z.enum(['open', 'invited', 'closed'], 'must be open, invited or closed').default('open'),
  ALBUMS_PER_DAY: wholeNumber(1, 1_000_000).default(100),
  ALBUM_MAX_PHOTOS: wholeNumber(1, 1_000_000).default(100_000),
  ALBUM_MAX_GB: wholeNumber(1, 1_000_000).default(500),
  DISK_FREE_MIN_MB: wholeNumber(0, 1_000_000_000).default(1000),
}

export interface LimitSettings {
  /** Who may create albums: anyone, anyone with an invitation code, or nobody. */
  albumCreation: 'open' | 'invited' | 'closed'
  /** Albums that one network address, or one email address, may create in a day. */
  albumsPerDay: number
  /** Photos in an album, and bytes of their originals. */
  album: { photos: number; bytes: number }
  /** Bytes that remain free on the disk: nothing but Postgres writes below. */
  freeDiskBytes: number
}

const variables = z.object(LIMIT_VARIABLES)

/** Converts GB and MB (decimal) to bytes. */
export function limitSettings(read: z.output<typeof variables>): LimitSettings {
  return {
    albumCreation: read.ALBUM_CREATION,
    albumsPerDay: read.ALBUMS_PER_DAY,
    album: { photos: read.ALBUM_MAX_PHOTOS, bytes: read.ALBUM_MAX_GB * GIGABYTE },
    freeDiskBytes: read.DISK_FREE_MIN_MB * MEGABYTE,
  }
}
