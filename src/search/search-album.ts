import { OPT_OUT_MAX_FACES } from '../contract/opt-outs.ts'
import type { Combination, MatchedFace, MatchedPhoto, SearchOutput } from '../contract/search.ts'
import type { Db } from '../database/client.ts'
import type { Album } from '../database/schema.ts'
import type { FaceMatch } from '../faces/face-index.ts'
import { boxOf } from '../photos/face-box.ts'
import type { PhotoLinks } from '../photos/links.ts'
import { indexedPhotoIds, indexedPhotos } from '../photos/queries.ts'
import { answeredFaces, askedFace } from './asked-faces.ts'
import { combinePersons } from './combine-persons.ts'
import { type FindDeps, type FoundInAlbum, findInAlbum, type SearchedPerson } from './find-in-album.ts'
import { foundFaces } from './found-faces.ts'
import { type FoundOnPage, foundPage, photosOnPage } from './found-pages.ts'
import { findFaceBoxes } from './queries.ts'
import { shownPhoto } from './shown-photo.ts'

export interface SearchDeps extends FindDeps {
  links: PhotoLinks
}

export interface AlbumQuery {
  person: SearchedPerson
  /** A second person. */
  other?: SearchedPerson | undefined
  /** Which photos are wanted of two persons. */
  combine?: Combination | undefined
  /** Whose search it is. The person answers about faces that searches of the same session have asked about. */
  sessionId: string
  /** The session owns the album. */
  isOwner?: boolean | undefined
  /** Whether the first person wants a ticket. */
  remember?: boolean | undefined
  /** How many photos to give, and to put on each further page; undefined: all. */
  limit?: number | undefined
}

/** Lets the engine load an album whose guest will probably search it soon. Returns at once and never fails. */
export function prepareSearch({ faces }: Pick<SearchDeps, 'faces'>, album: Album): void {
  if (album.faces_found > 0) faces.prepare([album.id])
}

/** The photos of the album that show a person, or two persons, best match first. The pictures stay in memory.
 *  @param origin where addresses begin, without a slash at its end
 *  @throws AppError when no picture shows a face, a ticket is not valid, or the session was not asked about a face that the
 *    person answers about. */
export async function searchAlbum(
  deps: SearchDeps,
  album: Album,
  { person, other, combine = 'both', sessionId, isOwner, remember = false, limit }: AlbumQuery,
  origin: string,
): Promise<SearchOutput> {
  const asked = { album, sessionId, isOwner }
  const answered = { ...person, ...answeredFaces(deps.keyring, asked, person) }
  const [first, second] = await Promise.all([
    findInAlbum(deps, asked, answered),
    other && findInAlbum(deps, asked, other),
  ])
  const { sure, possible } = second ? combinePersons(combine, first, second) : first
  const isThere = await whichAreThere(deps, album, second ? [...sure, ...first.sure] : sure)
  const found = sure.filter(isThere)
  const photoOf = await photosOf(deps, album, [...found.slice(0, limit), ...possible])
  const shown = found.slice(0, limit).flatMap(photoOf)
  const inQuestion = possible.flatMap(photoOf)
  const boxes = await boxesOf(deps.db, album.id, [...shown, ...inQuestion])
  const photos = shown.map((photo) => ({
    ...matchedPhoto(deps, album, photo, origin),
    face: boxes.get(photo.faceId),
  }))
  return {
    matchedPhotos: photos.map((photo) => photo.url),
    photos,
    totalMatches: found.length,
    possible: inQuestion.flatMap((photo) => {
      const face = boxes.get(photo.faceId)
      if (!face) return []
      const id = askedFace(deps.keyring, asked, face.id)
      return { ...matchedPhoto(deps, album, photo, origin), face: { ...face, id } }
    }),
    selfies: first.selfies,
    ...(second && { otherSelfies: second.selfies }),
    // Nothing says which face is whose of two persons.
    ...(!second && optOutOf(deps, album, found, first)),
    searchTicket: first.searchTicket,
    ...(second && { otherSearchTicket: second.searchTicket }),
    canRemember: first.remember !== undefined,
    ...(remember && ticketOf(first)),
    ...((remember || !first.isBySelfies) && {
      photoIds: first.sure.filter(isThere).map(({ photoId }) => photoId),
    }),
    ...(limit && {
      nextPages: pagesOf(found.slice(limit), limit).map((page) =>
        foundPage(
          deps.keyring,
          album.id,
          page.map(({ photoId, similarity }) => ({ id: photoId, similarity })),
        ),
      ),
    }),
  }
}

function ticketOf({ remember }: FoundInAlbum): Pick<SearchOutput, 'ticket' | 'ticketEndsAt'> {
  const made = remember?.()
  return made ? { ticket: made.ticket, ticketEndsAt: made.endsAt.toISOString() } : {}
}

/** What a guest needs to opt out: the faces that the search has surely found. A face that the guest has confirmed is not one
 *  of them, because nobody but the guest says whose it is. Only a new selfie shows who is asking: anybody can have a picture
 *  of the album, and who is remembered may have sent theirs weeks ago. */
function optOutOf(
  { keyring, faces }: SearchDeps,
  album: Album,
  found: FaceMatch[],
  { confirmed, isFromAlbum, isBySelfies }: FoundInAlbum,
): Pick<SearchOutput, 'optOut' | 'optOutNeedsNewSelfie'> {
  const said = new Set(confirmed)
  const ids = found
    .map(({ faceId }) => faceId)
    .filter((id) => !said.has(id))
    .slice(0, OPT_OUT_MAX_FACES)
  if (ids.length === 0) return {}
  if (isFromAlbum || !isBySelfies) return { optOutNeedsNewSelfie: true }
  return {
    optOut: {
      faces: foundFaces(keyring, album, ids),
      count: ids.length,
      canKeepOut: faces.engine === 'embedded',
    },
  }
}

/** Says of each of these faces whether its photo can be shown: not those that have been erased meanwhile. */
async function whichAreThere(
  { db }: Pick<SearchDeps, 'db'>,
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
  { db }: Pick<SearchDeps, 'db'>,
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

/** The photos on a further page of a search, with fresh addresses. Those that have been erased meanwhile are missing.
 *  @param page one of the search's `nextPages`
 *  @throws AppError BAD_REQUEST when it is no page of this album */
export async function photosOfPage(
  deps: Pick<SearchDeps, 'db' | 'keyring' | 'links'>,
  album: Album,
  page: string,
  origin: string,
): Promise<MatchedPhoto[]> {
  const similarities = new Map(
    photosOnPage(deps.keyring, album.id, page).map(({ id, similarity }) => [id, similarity]),
  )
  const photos = await indexedPhotos(deps.db, album.id, [...similarities.keys()])
  return bestFirst(photos, similarities).map((photo) => matchedPhoto(deps, album, photo, origin))
}

type PhotoRow = Awaited<ReturnType<typeof indexedPhotos>>[number]

function bestFirst(photos: PhotoRow[], similarities: Map<string, number>): (PhotoRow & FoundOnPage)[] {
  return photos
    .map((photo) => ({ ...photo, similarity: similarities.get(photo.id)! }))
    .sort((a, b) => b.similarity - a.similarity)
}

function pagesOf<Item>(items: Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, page) =>
    items.slice(page * size, (page + 1) * size),
  )
}

function matchedPhoto(
  { links }: Pick<SearchDeps, 'links'>,
  { password_version }: Album,
  photo: PhotoRow & FoundOnPage,
  origin: string,
): MatchedPhoto {
  return { ...shownPhoto(links, origin, { ...photo, password_version }), similarity: photo.similarity }
}
