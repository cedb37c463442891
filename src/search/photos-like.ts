import type { Db } from '../database/client.ts'
import { foundByAny } from '../faces/best-of-photos.ts'
import type { FaceIndex, FaceMatch, PersonQuery, SelfieFaces } from '../faces/face-index.ts'
import { type Evidence, searchUnknown } from './search-token.ts'
import { withoutOptedOut } from './without-opted-out.ts'

export interface MatchDeps {
  db: Db
  faces: FaceIndex
  /** Similarity (0–100) from which a face is surely of the person; undefined: the engine decides. */
  threshold?: number | undefined
}

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
  { db, faces, threshold }: MatchDeps,
  albumIds: string[],
  { evidence: former, ...person }: Person,
): Promise<PhotosLike> {
  if (former && former.engine !== faces.engine) throw searchUnknown()
  const answer = await faces.search(albumIds, { ...person, evidence: former?.bytes }, threshold)
  const found = await withoutOptedOut(db, [...answer.found.values()])
  return {
    ...foundByAny(found),
    isFromAlbum: found.some(({ isFromAlbum = false }) => isFromAlbum),
    confirmed: person.confirmed ?? [],
    selfies: answer.selfies,
    evidence: answer.evidence && { engine: faces.engine, bytes: answer.evidence },
  }
}
