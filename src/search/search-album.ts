import type { AppContext } from '../context.ts'
import { OPT_OUT_MAX_FACES } from '../contract/opt-outs.ts'
import type { Combination, MatchedFace, MatchedPhoto, SearchOutput } from '../contract/search.ts'
import type { Db } from '../database/client.ts'
import type { Album } from '../database/schema.ts'
import type { FaceMatch } from '../faces/face-index.ts'
import { boxOf } from '../photos/face-box.ts'
import { indexedPhotoIds, indexedPhotos } from '../photos/queries.ts'
import { shownPhoto } from '../photos/shown-photo.ts'
import { combinePersons } from './combine-persons.ts'
import { findInAlbum, type SearchedPerson } from './find-in-album.ts'
import { findFaceBoxes } from './queries.ts'

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
  const isThere = await whichAreThere(deps, album, second ? [...sure, ...first.sure] : sure)
  const found = sure.filter(isThere)
  const page = found.slice(offset, limit && offset + limit)
  const photoOf = await photosOf(deps, album, [...page, ...possible])
  const shown = page.flatMap(photoOf)
  const inQuestion = possible.flatMap(photoOf)
  const boxes = await boxesOf(deps.db, album.id, [...shown, ...inQuestion])
  const { password_version } = album
  const versions = { password_version, owner_key_version: isOwner ? album.owner_key_version : null }
  const photos = shown.map((photo) => ({
    ...matchedPhoto(deps, versions, photo, origin),
    face: boxes.get(photo.faceId),
  }))
  const sealed = first.seal?.(remember)
  return {
    matchedPhotos: photos.map((photo) => photo.url),
    photos,
    totalMatches: found.length,
    possible: inQuestion.flatMap((photo) => {
      const face = boxes.get(photo.faceId)
      return face ? { ...matchedPhoto(deps, versions, photo, origin), face } : []
    }),
    selfies: first.selfies,
    ...(second && { otherSelfies: second.selfies }),
    // Nothing says which face is whose of two persons.
    ...(!second && optOutOf(deps, found, first.own)),
    searchToken: sealed?.token,
    ...(second && { otherSearchToken: second.seal?.(false).token }),
    ...(remember &&
      sealed && {
        searchTokenEndsAt: sealed.endsAt.toISOString(),
        photoIds: first.sure.filter(isThere).map(({ photoId }) => photoId),
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

/** Says of each of these faces whether its photo can be shown: not those that have been erased meanwhile. */
async function whichAreThere(
  { db }: Pick<AppContext, 'db'>,
  album: Album,
  matches: FaceMatch[],
): Promise<(match: FaceMatch) => boolean> {
  const photoIds = matches.map(({ photoId }) => photoId)
  const there = photoIds.length > 0 ? await indexedPhotoIds(db, album.id, photoIds) : new Set()
  return ({ photoId }) => there.has(photoId)
}

/** Gives the photo that a face is in, or nothing when it has been erased meanwhile.
 *  @param matches all that will be asked for */
async function photosOf(
  { db }: Pick<AppContext, 'db'>,
  album: Album,
  matches: FaceMatch[],
): Promise<(match: FaceMatch) => (PhotoRow & FaceMatch)[]> {
  if (matches.length === 0) return () => []
  const photos = await indexedPhotos(
    db,
    album.id,
    matches.map(({ photoId }) => photoId),
  )
  const byId = new Map(photos.map((photo) => [photo.id, photo]))
  return (match) => {
    const photo = byId.get(match.photoId)
    return photo ? [{ ...photo, ...match }] : []
  }
}

/** Where faces are in their photos, by id. */
async function boxesOf(db: Db, albumId: string, matches: FaceMatch[]): Promise<Map<string, MatchedFace>> {
  if (matches.length === 0) return new Map()
  const rows = await findFaceBoxes(
    db,
    albumId,
    matches.map(({ faceId }) => faceId),
  )
  return new Map(rows.map((row) => [row.id, { id: row.id, box: boxOf(row) }]))
}

type PhotoRow = Awaited<ReturnType<typeof indexedPhotos>>[number]

function matchedPhoto(
  { links }: Pick<AppContext, 'links'>,
  versions: { password_version: number; owner_key_version: number | null },
  photo: PhotoRow & Pick<FaceMatch, 'similarity'>,
  origin: string,
): MatchedPhoto {
  return { ...shownPhoto(links, origin, { ...photo, ...versions }), similarity: photo.similarity }
}
