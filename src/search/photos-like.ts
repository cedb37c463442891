import { MOST_POSSIBLE } from '../contract/limits.ts'
import type { Db } from '../database/client.ts'
import type { EngineName } from '../database/schema.ts'
import { hasCode } from '../errors.ts'
import { bestOfPhotos } from '../faces/best-of-photos.ts'
import { albumsInEngine } from '../faces/collection-queries.ts'
import { ticketRefused } from '../faces/errors.ts'
import type { FaceIndex, FaceMatch, PersonQuery, PersonSearch, SelfieFaces } from '../faces/face-index.ts'
import type { FormerFaces } from '../faces/former-faces.ts'
import { searchUnknown } from './search-ticket.ts'
import type { Templates } from './tickets.ts'
import { withoutOptedOut } from './without-opted-out.ts'

export interface MatchDeps {
  db: Db
  faces: FaceIndex
  formerFaces: FormerFaces
  /** Similarity (0–100) from which a face is surely of the person; undefined: the engine decides. */
  threshold?: number | undefined
}

/** Who is searched for. */
export interface Person extends Omit<PersonQuery, 'template' | 'evidence'> {
  /** In place of the selfies: the template of each engine that was searched before. */
  templates?: Templates | undefined
  /** In place of the selfies of a search shortly before, or beside further ones: the evidence of each engine. */
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
  /** Those of all engines that were searched. Undefined when one of them gave none. */
  templates: Templates | undefined
  /** The same for what stands in place of the selfies in a repeated search. */
  evidence: Templates | undefined
}

/** The photos of these albums that show a person, each with its best matching face. Each engine sees the selfies once.
 *  While photos move from one engine to another, both are searched. The former engine keeps a photo's faces until long
 *  after the move (see src/albums/move.ts), so no photo is missed.
 *  @param person with normalised selfies
 *  @throws AppError UNPROCESSABLE_CONTENT when no selfie shows a face; FORBIDDEN when there is no template, or no evidence,
 *    for an engine that has to be searched. */
export async function photosLike(
  { db, faces, formerFaces, threshold }: MatchDeps,
  albumIds: string[],
  { templates, evidence: former, ...person }: Person,
): Promise<PhotosLike> {
  const moving = await albumsInEngine(db, albumIds, formerFaces.engine)
  const searchIn = async (index: FaceIndex, albums: string[]) => {
    const template = templates?.[index.engine]
    if (templates && !template) throw ticketRefused()
    const evidence = former?.[index.engine]
    if (former && !evidence) throw searchUnknown()
    const query = { ...person, template, evidence }
    return { engine: index.engine, ...(await index.search(albums, query, threshold)) }
  }
  const [current, earlier] = await Promise.allSettled([
    searchIn(faces, albumIds),
    moving.length > 0 ? formerFaces.use((index) => searchIn(index, moving)) : undefined,
  ])
  if (current.status === 'rejected') throw current.reason
  const allowed = async (...answers: (EngineAnswer | undefined)[]) => ({
    ...merged(...(await withoutOptedOut(db, answers))),
    confirmed: person.confirmed ?? [],
  })
  if (earlier.status === 'fulfilled') return await allowed(current.value, earlier.value)
  // The current engine saw a face, so its answer counts. Without a collection it did not look at the selfies.
  if (isUnprocessable(earlier.reason) && current.value.found.size > 0) return await allowed(current.value)
  throw earlier.reason
}

type EngineAnswer = PersonSearch & { engine: EngineName }

function isUnprocessable(error: unknown): boolean {
  return hasCode(error, 'UNPROCESSABLE_CONTENT')
}

function merged(...engines: (EngineAnswer | undefined)[]): Omit<PhotosLike, 'confirmed'> {
  const answers = engines.filter((answer) => answer !== undefined)
  const found = answers.flatMap((answer) => [...answer.found.values()])
  const sure = bestOfPhotos(found.flatMap((one) => one.sure))
  const isSure = new Set(sure.map(({ photoId }) => photoId))
  const possible = found.flatMap((one) => one.possible).filter(({ photoId }) => !isSure.has(photoId))
  return {
    sure,
    possible: bestOfPhotos(possible).slice(0, MOST_POSSIBLE),
    selfies: answers.find((answer) => answer.selfies.length > 0)?.selfies ?? [],
    isFromAlbum: found.some(({ isFromAlbum = false }) => isFromAlbum),
    templates: ofEach(answers, ({ template }) => template),
    evidence: ofEach(answers, ({ evidence }) => evidence),
  }
}

/** Undefined unless a later search can use them all. */
function ofEach(
  answers: EngineAnswer[],
  bytesOf: (answer: EngineAnswer) => Buffer | undefined,
): Templates | undefined {
  const all: Templates = {}
  for (const answer of answers) {
    const bytes = bytesOf(answer)
    if (!bytes) return undefined
    all[answer.engine] = bytes
  }
  return all
}
