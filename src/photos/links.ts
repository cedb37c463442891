import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto'
import { PHOTO_LINK_LIFETIME_MS } from '../contract/limits.ts'
import { AppError } from '../errors.ts'
import type { Keyring } from '../keyring.ts'

export const PHOTO_SIZES = ['thumb', 'preview', 'full', 'download'] as const
export type PhotoSize = (typeof PHOTO_SIZES)[number]

export function isPhotoSize(size: string): size is PhotoSize {
  return (PHOTO_SIZES as readonly string[]).includes(size)
}

/** The addresses of one photo: at full size, as thumbnail and preview, and as an attachment at full size. */
export interface PhotoAddresses {
  url: string
  thumbUrl: string
  previewUrl: string
  downloadUrl: string
}

export interface PhotoLinks {
  /** Addresses below the site's root. Until they expire, they give the photo to anyone who has them.
   *  @param now milliseconds since 1970 */
  sign(photoId: string, passwordVersion: number, now?: number): PhotoAddresses
  /** What a link was signed for. The caller compares the version with the album's. Throws AppError FORBIDDEN when the
   *  link is forged or has expired.
   *  @param query the address's parsed, untrusted query */
  verify(
    photoId: string,
    size: PhotoSize,
    query: Record<string, unknown>,
    now?: number,
  ): { passwordVersion: number }
}

const LIFETIME_S = PHOTO_LINK_LIFETIME_MS / 1000
/** Expiry is rounded up to this. So searches within the same few minutes give the same addresses, and the browser
 *  uses its cache. */
const ROUNDING_S = 5 * 60
/** 128 bits cannot be guessed, and make the address half as long. */
const MAC_BYTES = 16

export function createPhotoLinks({ keyring }: { keyring: Keyring }): PhotoLinks {
  function sign(key: KeyObject, photoId: string, size: PhotoSize, expires: string, version: string): string {
    const mac = createHmac('sha256', key).update(`${photoId} ${size} ${expires} ${version}`).digest()
    return mac.subarray(0, MAC_BYTES).toString('base64url')
  }

  return {
    sign(photoId, passwordVersion, now = Date.now()) {
      const expires = String(Math.ceil((now / 1000 + LIFETIME_S) / ROUNDING_S) * ROUNDING_S)
      const version = String(passwordVersion)
      const key = keyring.keys('photo-link')[0]!
      const address = (size: PhotoSize) => {
        const signature = sign(key, photoId, size, expires, version)
        return `/photos/${photoId}/${size}?e=${expires}&v=${version}&s=${signature}`
      }
      return {
        url: address('full'),
        thumbUrl: address('thumb'),
        previewUrl: address('preview'),
        downloadUrl: address('download'),
      }
    },

    verify(photoId, size, { e: expires, v: version, s: signature }, now = Date.now()) {
      if (typeof expires !== 'string' || typeof version !== 'string' || typeof signature !== 'string')
        throw forgedLink()
      const genuine = keyring
        .keys('photo-link')
        .some((key) => sameText(signature, sign(key, photoId, size, expires, version)))
      if (!genuine) throw forgedLink()
      if (now >= Number(expires) * 1000) throw expiredLink()
      return { passwordVersion: Number(version) }
    },
  }
}

/** Compares in constant time. */
function sameText(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}

export const forgedLink = () => new AppError('FORBIDDEN', 'This link is not valid')
export const expiredLink = () => new AppError('FORBIDDEN', 'This link has expired. Open the album again.')
export const passwordHasChanged = () =>
  new AppError('FORBIDDEN', 'The album password has changed. Open the album again.')
