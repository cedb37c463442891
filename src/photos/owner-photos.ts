import type { AppContext } from '../context.ts'
import type {
  Cameras,
  OwnerPhoto,
  OwnerPhotosPage,
  OwnerPhotosWanted,
  PhotoDetails,
} from '../contract/desk-photos.ts'
import type { Db } from '../database/client.ts'
import { pageOf } from '../database/page-of.ts'
import type { Album } from '../database/schema.ts'
import { isUuid } from '../database/uuid.ts'
import { AppError } from '../errors.ts'
import type { UnindexedReason } from '../faces/face-index.ts'
import { boxOf } from './face-box.ts'
import type { PhotoLinks } from './links.ts'
import {
  camerasOfAlbum,
  faceBoxes,
  hoursOfAlbum,
  type OwnersPhoto,
  ownersPhoto,
  ownersPhotos,
} from './owner-queries.ts'
import { cursorAt, placeAt } from './queries.ts'
import { shownPhoto } from './shown-photo.ts'

type Owned = Pick<Album, 'id' | 'password_version' | 'owner_key_version'>

/** A page of an album's photos for its owner, who also sees hidden ones. */
export async function ownerPhotos(
  { db, links }: Pick<AppContext, 'db' | 'links'>,
  album: Owned,
  { limit, cursor, ...filter }: OwnerPhotosWanted,
  origin: string,
): Promise<OwnerPhotosPage> {
  const after = cursor === undefined ? undefined : placeAt(cursor)
  const found = await ownersPhotos(db, album.id, filter, { after, limit: limit + 1 })
  const { rows, nextCursor } = pageOf(found, limit, cursorAt)
  return { photos: rows.map((photo) => forOwner(links, origin, album, photo)), nextCursor }
}

/** What the face engine has seen in a photo, and what its file says.
 *  @throws AppError NOT_FOUND */
export async function photoDetails(
  { db, links }: Pick<AppContext, 'db' | 'links'>,
  album: Owned,
  photoId: string,
  origin: string,
): Promise<PhotoDetails> {
  const photo = isUuid(photoId) ? await ownersPhoto(db, album.id, photoId) : undefined
  if (!photo) throw noSuchPhoto()
  const boxes = await faceBoxes(db, photoId, photo.face_count ?? 0)
  return {
    ...forOwner(links, origin, album, photo),
    sentAs: photo.filename,
    bytes: photo.size,
    addedAt: photo.created_at.toISOString(),
    cameraTime: photo.taken_at,
    shiftMinutes: photo.shift_minutes,
    faceBoxes: boxes.map(boxOf),
    leftOut: (photo.unindexed_faces ?? []).map(({ box, reasons }) => ({ box, reason: inWords(reasons) })),
  }
}

const noSuchPhoto = () => new AppError('NOT_FOUND', 'This photo has been removed')

const MOST_CAMERAS = 100
const MOST_HOURS = 500

/** The cameras of an album's photos, and the hours in which they were taken. */
export async function camerasOf(db: Db, albumId: string): Promise<Cameras> {
  const [cameras, hours] = await Promise.all([
    camerasOfAlbum(db, albumId, MOST_CAMERAS),
    hoursOfAlbum(db, albumId, MOST_HOURS),
  ])
  return { cameras, hours }
}

function forOwner(links: PhotoLinks, origin: string, album: Owned, photo: OwnersPhoto): OwnerPhoto {
  const { id, face_count, taken, camera, kind } = photo
  const { password_version, owner_key_version } = album
  return {
    ...shownPhoto(links, origin, { ...photo, password_version, owner_key_version }),
    ...{ id, camera, takenAt: taken, kind, reason: reasonOf(photo), faces: face_count },
  }
}

/** The face engine's reasons, in words for the owner. */
const IN_WORDS: Record<string, string> = {
  EXCEEDS_MAX_FACES: 'beyond the number that one photo may have',
  EXTREME_POSE: 'turned too far away',
  LOW_BRIGHTNESS: 'too dark',
  LOW_SHARPNESS: 'too blurred',
  LOW_CONFIDENCE: 'not clear enough',
  SMALL_BOUNDING_BOX: 'too small',
  LOW_FACE_QUALITY: 'not clear enough',
} satisfies Record<UnindexedReason, string>

const inWords = (reasons: string[]) =>
  [...new Set(reasons.map((reason) => IN_WORDS[reason] ?? 'not clear enough'))].join(', ')

/** Such as `2 faces cannot be searched for: too small, too blurred`. */
function reasonOf(photo: OwnersPhoto): string | null {
  if (photo.given_up_reason !== null) return photo.given_up_reason
  if (photo.unindexed_count > 0) {
    const count = photo.unindexed_count === 1 ? '1 face' : `${photo.unindexed_count} faces`
    return `${count} cannot be searched for: ${inWords(photo.unindexed_reasons)}`
  }
  return photo.face_count === 0 ? 'No face was found in this photo' : null
}
