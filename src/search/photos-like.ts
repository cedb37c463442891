import type { AppContext } from '../context.ts'
import type { Db } from '../database/client.ts'
import { foundByAny } from '../faces/best-of-photos.ts'
import type { FaceMatch, FoundPerson, PersonQuery, SelfieFaces } from '../faces/face-index.ts'
import { facesOptedOut, shownFaces } from '../photos/face-queries.ts'
import { areAnyForChildren } from './queries.ts'
import { type Evidence, searchUnknown } from './search-token.ts'

/** Who is searched for. */
export interface Person extends Omit<PersonQuery, 'evidence'> {
  /** In place of the selfies of an earlier search, or beside further ones. */
  evidence?: Evidence | undefined
}

/** What was found in all albums together. No photo is in it twice. */
export interface PhotosLike {
  /** Best match first. */
  sure: FaceMatch[]
  possible: FaceMatch[]
  /** The ids of faces that the person has recognised: they are sure for that reason alone. */
  confirmed: string[]
  selfies: SelfieFaces[]
  /** A selfie is a picture that one of the albums has: see FoundPerson. */
  isFromAlbum: boolean
  /** What stands in place of the selfies in a repeated search. Undefined when the engine gave nothing. */
  evidence: Evidence | undefined
}

/** The photos of these albums that show a person, each with its best matching face.
 *  @param person with normalised selfies
 *  @throws AppError UNPROCESSABLE_CONTENT when no selfie shows a face; FORBIDDEN when the evidence is of another engine than
 *    the configured one */
export async function photosLike(
  { db, faces, threshold }: Pick<AppContext, 'db' | 'faces' | 'threshold'>,
  albumIds: string[],
  { evidence: former, ...person }: Person,
): Promise<PhotosLike> {
  if (former && former.engine !== faces.engine) throw searchUnknown()
  // With a single one for children, the limit is that of children in all of them.
  const amongChildren = await areAnyForChildren(db, albumIds)
  const answer = await faces.search(
    albumIds,
    { ...person, evidence: former?.bytes, amongChildren },
    threshold,
  )
  const found = await withoutOptedOut(db, [...answer.found.values()])
  return {
    ...foundByAny(found),
    isFromAlbum: found.some(({ isFromAlbum = false }) => isFromAlbum),
    confirmed: person.confirmed ?? [],
    selfies: answer.selfies,
    evidence: answer.evidence && { engine: faces.engine, bytes: answer.evidence },
  }
}

/** What was found, without the faces that have opted out. The engine keeps such a face until the opt-out is erased and a job
 *  has removed it. So in a photo with such a face, a face counts only when it has a row that no opt-out hides. */
export async function withoutOptedOut(db: Db, found: FoundPerson[]): Promise<FoundPerson[]> {
  const isAllowed = await allowedIn(
    db,
    found.flatMap(({ sure, possible }) => [...sure, ...possible]),
  )
  return found.map(({ sure, possible, ...rest }) => ({
    ...rest,
    sure: sure.filter(isAllowed),
    possible: possible.filter(isAllowed),
  }))
}

async function allowedIn(db: Db, matches: FaceMatch[]): Promise<(match: FaceMatch) => boolean> {
  if (matches.length === 0) return () => true
  const rows = await facesOptedOut(
    db,
    matches.map(({ photoId }) => photoId),
  )
  const photos = new Set(rows.map((row) => row.photo_id))
  if (photos.size === 0) return () => true
  const inPhotos = matches.filter(({ photoId }) => photos.has(photoId)).map(({ faceId }) => faceId)
  const known = new Set((await shownFaces(db, inPhotos)).map(({ id }) => id))
  return ({ faceId, photoId }) => !photos.has(photoId) || known.has(faceId)
}
