import { type Grant, isOwner } from '../albums/access.ts'
import { decryptPassword } from '../albums/password.ts'
import { settingsOf } from '../albums/settings.ts'
import type { AppContext } from '../context.ts'
import type { AlbumSummary, EnteredAlbum } from '../contract/albums.ts'
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
  const { coverId, ...settings } = settingsOf(album)
  return {
    ...summaryOf(album),
    albumPassword: decryptPassword(services.keyring, album),
    isOwner: isOwner(album, grants),
    ...settings,
    cover: coverId === null ? null : await coverOf(services, album, coverId, origin),
  }
}

/** Faces that a cover is placed by. */
const MOST_FACES = 100
/** Where faces usually are. */
const UPPER_THIRD = 1 / 3

/** @returns null while guests do not see the photo */
async function coverOf({ db, links }: Services, album: Album, photoId: string, origin: string) {
  const [photo] = await indexedPhotos(db, album.id, [photoId])
  if (!photo) return null
  const boxes = await faceBoxes(db, photoId, MOST_FACES)
  // The hair is above the face.
  const tops = boxes.map(({ box_top, box_height }) => box_top - box_height / 3)
  return {
    url: origin + links.sign(photoId, album.password_version).previewUrl,
    width: photo.width,
    height: photo.height,
    facesAt: boxes.length > 0 ? Math.min(Math.max(Math.min(...tops), 0), 1) : UPPER_THIRD,
  }
}
