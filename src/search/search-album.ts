import type { AppContext } from '../context.ts'
import { OPT_OUT_MAX_FACES } from '../contract/opt-outs.ts'
import type { Combination, SearchOutput } from '../contract/search.ts'
import type { Album } from '../database/schema.ts'
import type { FaceMatch } from '../faces/face-index.ts'
import { boxOf } from '../photos/face-box.ts'
import { findFaceBoxes } from '../photos/face-queries.ts'
import { indexedPhotoIds, indexedPhotos } from '../photos/queries.ts'
import { shownPhoto } from '../photos/shown-photo.ts'
import { combinePersons } from './combine-persons.ts'
import { findInAlbum, type SearchedPerson } from './find-person.ts'

export interface AlbumQuery {
  person: SearchedPerson
  /** A second person. */
  other?: SearchedPerson | undefined
  /** Which photos are wanted of two persons. */
  combine?: Combination | undefined
  /** Whose search it is. */
  sessionId: string
  /** The session owns the album. */
  isOwner?: boolean | undefined
  /** Whether the first person wants to be remembered. */
  remember?: boolean | undefined
  /** How many photos to give; undefined: all. */
  limit?: number | undefined
  /** How many of the best matches to leave out, because the client has them. */
  offset?: number | undefined
}

/** Lets the engine load an album whose guest will probably search it soon. Returns at once and never fails. */
export function prepareSearch({ faces }: Pick<AppContext, 'faces'>, album: Album): void {
  if (album.faces_found > 0 && !album.faces_ended_at) faces.prepare([album.id])
}

const photoIdsOf = (matches: FaceMatch[]) => matches.map(({ photoId }) => photoId)

/** The photos of the album that show a person, or two persons, best match first. The pictures stay in memory.
 *  @throws AppError as findInAlbum does */
export async function searchAlbum(
  deps: Pick<AppContext, 'db' | 'faces' | 'keyring' | 'links' | 'threshold'>,
  album: Album,
  { person, other, combine = 'both', sessionId, isOwner, remember = false, limit, offset = 0 }: AlbumQuery,
  origin: string,
): Promise<SearchOutput> {
  const searcher = { album, sessionId, isOwner }
  const [first, second] = await Promise.all([
    findInAlbum(deps, searcher, person),
    other && findInAlbum(deps, searcher, other),
  ])
  const { sure, possible } = second ? combinePersons(combine, first, second) : first
  // Some may have been erased meanwhile.
  const there = await indexedPhotoIds(deps.db, album.id, photoIdsOf(second ? [...sure, ...first.sure] : sure))
  const isThere = ({ photoId }: FaceMatch) => there.has(photoId)
  const found = sure.filter(isThere)
  const page = found.slice(offset, limit && offset + limit)
  const show = await photosToShow(deps, { album, isOwner }, [...page, ...possible], origin)
  const photos = page.flatMap(show)
  const sealed = first.seal?.(remember)
  return {
    matchedPhotos: photos.map((photo) => photo.url),
    photos,
    totalMatches: found.length,
    possible: possible.flatMap(show).flatMap(({ face, ...photo }) => (face ? { ...photo, face } : [])),
    selfies: first.selfies,
    ...(second && { otherSelfies: second.selfies }),
    // Nothing says which face is whose of two persons.
    ...(!second && optOutOf(deps, found, first.own)),
    searchToken: sealed?.token,
    ...(second && { otherSearchToken: second.seal?.(false).token }),
    ...(remember &&
      sealed && {
        searchTokenEndsAt: sealed.endsAt.toISOString(),
        photoIds: photoIdsOf(first.sure.filter(isThere)),
      }),
  }
}

/** What a guest needs to know to opt out. */
function optOutOf({ faces }: Pick<AppContext, 'faces'>, found: FaceMatch[], own: FaceMatch[] | undefined) {
  if (!own) return found.length > 0 ? { optOutNeedsNewSelfie: true as const } : {}
  const isOwn = new Set(own.map(({ faceId }) => faceId))
  const { length } = found.filter(({ faceId }) => isOwn.has(faceId))
  if (length === 0) return {}
  return { optOut: { count: Math.min(length, OPT_OUT_MAX_FACES), canKeepOut: faces.engine === 'embedded' } }
}

/** Gives the photo that a face is in, with the place of the face; nothing when the photo has been erased meanwhile.
 *  @param matches all that will be asked for */
async function photosToShow(
  { db, links }: Pick<AppContext, 'db' | 'links'>,
  { album, isOwner }: { album: Album } & Pick<AlbumQuery, 'isOwner'>,
  matches: FaceMatch[],
  origin: string,
) {
  const { id, password_version } = album
  const versions = { password_version, owner_key_version: isOwner ? album.owner_key_version : null }
  const photos = await indexedPhotos(db, id, photoIdsOf(matches))
  const faceIds = matches.map(({ faceId }) => faceId)
  const faces = photos.length > 0 ? await findFaceBoxes(db, id, faceIds) : []
  const photoOf = new Map(photos.map((photo) => [photo.id, photo]))
  const faceOf = new Map(faces.map((row) => [row.id, { id: row.id, box: boxOf(row) }]))
  return ({ photoId, faceId, similarity }: FaceMatch) => {
    const photo = photoOf.get(photoId)
    if (!photo) return []
    const shown = shownPhoto(links, origin, { ...photo, ...versions })
    return [{ ...shown, similarity, face: faceOf.get(faceId) }]
  }
}
