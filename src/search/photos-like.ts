import type { Db } from '../database/client.ts'
import { foundByAny } from '../faces/best-of-photos.ts'
import { ticketRefused } from '../faces/errors.ts'
import type { FaceIndex, FaceMatch, PersonQuery, SelfieFaces } from '../faces/face-index.ts'
import { searchUnknown } from './search-ticket.ts'
import type { Templates } from './tickets.ts'
import { withoutOptedOut } from './without-opted-out.ts'

export interface MatchDeps {
  db: Db
  faces: FaceIndex
  /** Similarity (0–100) from which a face is surely of the person; undefined: the engine decides. */
  threshold?: number | undefined
}

/** Who is searched for. */
export interface Person extends Omit<PersonQuery, 'template' | 'evidence'> {
  /** In place of the selfies: the template of the engine that was searched before. */
  templates?: Templates | undefined
  /** In place of the selfies of a search shortly before, or beside further ones: the evidence of the engine. */
  evidence?: Templates | undefined
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
  /** That of the engine. Undefined when it gave none. */
  templates: Templates | undefined
  /** The same for what stands in place of the selfies in a repeated search. */
  evidence: Templates | undefined
}

/** The photos of these albums that show a person, each with its best matching face.
 *  @param person with normalised selfies
 *  @throws AppError UNPROCESSABLE_CONTENT when no selfie shows a face; FORBIDDEN when there is no template, or no evidence,
 *    for the configured engine. */
export async function photosLike(
  { db, faces, threshold }: MatchDeps,
  albumIds: string[],
  { templates, evidence: evidences, ...person }: Person,
): Promise<PhotosLike> {
  const { engine } = faces
  const [template, evidence] = [templates?.[engine], evidences?.[engine]]
  if (templates && !template) throw ticketRefused()
  if (evidences && !evidence) throw searchUnknown()
  const answer = await faces.search(albumIds, { ...person, template, evidence }, threshold)
  const found = await withoutOptedOut(db, [...answer.found.values()])
  return {
    ...foundByAny(found),
    isFromAlbum: found.some(({ isFromAlbum = false }) => isFromAlbum),
    confirmed: person.confirmed ?? [],
    selfies: answer.selfies,
    templates: answer.template && { [engine]: answer.template },
    evidence: answer.evidence && { [engine]: answer.evidence },
  }
}
