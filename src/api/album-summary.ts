import { type Grant, isOwner } from '../albums/access.ts'
import { decryptPassword } from '../albums/password.ts'
import type { AppContext } from '../context.ts'
import type { AlbumSummary, EnteredAlbum } from '../contract/albums/albums.ts'
import type { Album } from '../database/schema.ts'
import { faceBoxes } from '../photos/owner-queries.ts'
import { indexedPhotos } from '../photos/queries.ts'

/** The part of an album that everybody may read. */
export function summaryOf(album: Pick<Album, 'id' | 'slug' | 'display_name' | 'created_at'>): AlbumSummary {
  return {
    id: album.id,
    albumName: album.slug,
    displayName: album.display_name,
    createdAt: album.created_at.toISOString(),
  }
}

type Services = Pick<AppContext, 'db' | 'keyring' | 'links'>

/** The album for a session that has a grant on it. */
export async function enteredAlbum(
  services: Services,
  album: Album,
  grants: Grant[],
  origin: string,
): Promise<EnteredAlbum> {
  const { coverId, ...settings } = album.settings
  const ownsIt = isOwner(album, grants)
  return {
    ...summaryOf(album),
    albumPassword: decryptPassword(services.keyring, album),
    isOwner: ownsIt,
    ...settings,
    cover: coverId === null ? null : await coverOf(services, album, { coverId, ownsIt, origin }),
  }
}

/** Faces that a cover is placed by. */
const MOST_FACES = 100
/** Where faces usually are. */
const UPPER_THIRD = 1 / 3

/** @param visit.ownsIt the visitor is the owner, who sees it also while the album is not open
 *  @returns null while guests do not see the photo */
async function coverOf(
  { db, links }: Services,
  { id, password_version, owner_key_version }: Album,
  { coverId, ownsIt, origin }: { coverId: string; ownsIt: boolean; origin: string },
) {
  const [photo] = await indexedPhotos(db, id, [coverId])
  if (!photo) return null
  const ownerKeyVersion = ownsIt ? owner_key_version : undefined
  const { previewUrl } = links.sign(coverId, password_version, Date.now(), ownerKeyVersion)
  const boxes = await faceBoxes(db, coverId, MOST_FACES)
  // The hair is above the face.
  const tops = boxes.map(({ box_top, box_height }) => box_top - box_height / 3)
  return {
    url: origin + previewUrl,
    width: photo.width,
    height: photo.height,
    facesAt: boxes.length > 0 ? Math.min(Math.max(Math.min(...tops), 0), 1) : UPPER_THIRD,
  }
}
