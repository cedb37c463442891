import type { AppContext } from '../context.ts'
import { isOpen, type Opening } from '../contract/albums/opening.ts'
import { PHOTO_LINK_LIFETIME_MS } from '../contract/limits.ts'
import type { Album } from '../database/schema.ts'
import { AppError, type ErrorCode } from '../errors.ts'

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

/** What a link was signed for. */
export interface PhotoLink {
  passwordVersion: number
  /** Seconds since 1970. */
  expires: number
  /** Of the owner for whom it was made, who also sees hidden photos. Undefined for a guest's. */
  ownerKeyVersion?: number | undefined
}

export interface PhotoLinks {
  /** Addresses below the site's root. Until they expire, they give the photo to anyone who has them. One signature
   *  serves all sizes, since a guest who sees a photo may have it in all of them.
   *  @param now milliseconds since 1970
   *  @param ownerKeyVersion when they are for the owner */
  sign(photoId: string, passwordVersion: number, now?: number, ownerKeyVersion?: number): PhotoAddresses
  /** What a link was signed for. The caller compares the version with the album's. Throws AppError FORBIDDEN when the
   *  link is forged or has expired.
   *  @param query the address's parsed, untrusted query */
  verify(photoId: string, query: Record<string, unknown>, now?: number): PhotoLink
}

const LIFETIME_S = PHOTO_LINK_LIFETIME_MS / 1000
/** Expiry is rounded up to this. So searches within the same few minutes give the same addresses, and the browser
 *  uses its cache. */
const ROUNDING_S = 5 * 60

export function createPhotoLinks({ keyring }: Pick<AppContext, 'keyring'>): PhotoLinks {
  return {
    sign(photoId, passwordVersion, now = Date.now(), ownerKeyVersion) {
      const expires = String(Math.ceil((now / 1000 + LIFETIME_S) / ROUNDING_S) * ROUNDING_S)
      const version = String(passwordVersion)
      const owner = ownerKeyVersion === undefined ? undefined : String(ownerKeyVersion)
      const signature = keyring.sign('photo-link', claimOf(photoId, expires, version, owner))
      const claims = `e=${expires}&v=${version}${owner === undefined ? '' : `&o=${owner}`}`
      const query = `${claims}&s=${signature.toString('base64url')}`
      const address = (size: PhotoSize) => `/photos/${photoId}/${size}?${query}`
      return {
        url: address('full'),
        thumbUrl: address('thumb'),
        previewUrl: address('preview'),
        downloadUrl: address('download'),
      }
    },

    verify(photoId, { e: expires, v: version, s: signature, o: owner }, now = Date.now()) {
      if (typeof expires !== 'string' || typeof version !== 'string' || typeof signature !== 'string')
        throw forgedLink()
      if (owner !== undefined && typeof owner !== 'string') throw forgedLink()
      const bytes = Buffer.from(signature, 'base64url')
      // Several texts are the same bytes. Only one of them is in the address.
      const isGenuine =
        bytes.toString('base64url') === signature &&
        keyring.isSigned('photo-link', bytes, claimOf(photoId, expires, version, owner))
      if (!isGenuine) throw forgedLink()
      if (now >= Number(expires) * 1000) throw expiredLink()
      return {
        passwordVersion: Number(version),
        expires: Number(expires),
        ownerKeyVersion: owner === undefined ? undefined : Number(owner),
      }
    },
  }
}

const claimOf = (photoId: string, expires: string, version: string, owner?: string) =>
  `${photoId} ${expires} ${version}${owner === undefined ? '' : ` owner ${owner}`}`

export const forgedLink = () => new AppError('FORBIDDEN', 'This link is not valid')
export const expiredLink = () => new AppError('FORBIDDEN', 'This link has expired. Open the album again.')
const passwordHasChanged = () =>
  new AppError('FORBIDDEN', 'The album password has changed. Open the album again.')

/** @param code whether the caller has a right that does not count now, or an address */
export const notOpen = ({ opensAt }: Opening, code: ErrorCode = 'FORBIDDEN') =>
  opensAt && new Date() < new Date(opensAt)
    ? new AppError(code, `This album opens on ${new Date(opensAt).toUTCString()}.`, {
        reason: 'album_not_open',
      })
    : new AppError(code, 'The organiser has closed this album.', { reason: 'album_closed' })

/** An address gives something only while the album has the password that it was made with, and one for guests only while the
 *  album is open.
 *  @throws AppError FORBIDDEN */
export function requireValid(
  { passwordVersion, ownerKeyVersion }: Pick<PhotoLink, 'passwordVersion' | 'ownerKeyVersion'>,
  album: Pick<Album, 'password_version' | 'owner_key_version' | 'settings'>,
): void {
  if (passwordVersion !== album.password_version) throw passwordHasChanged()
  if (ownerKeyVersion !== album.owner_key_version && !isOpen(album.settings)) throw notOpen(album.settings)
}
