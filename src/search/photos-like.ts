import { MOST_POSSIBLE } from '../contract/limits.ts'
import type { Db } from '../database/client.ts'
import type { EngineName } from '../database/schema.ts'
import { hasCode } from '../errors.ts'
import { bestOfPhotos } from '../faces/best-of-photos.ts'
import { albumsInEngine } from '../faces/collection-queries.ts'
import type { FaceIndex, FaceMatch, PersonQuery, PersonSearch, SelfieFaces } from '../faces/face-index.ts'
import type { FormerFaces } from '../faces/former-faces.ts'
import { type Evidence, searchUnknown } from './search-token.ts'
import { withoutOptedOut } from './without-opted-out.ts'

export interface MatchDeps {
  db: Db
  faces: FaceIndex
  formerFaces: FormerFaces
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
  /** What stands in place of the selfies in a repeated search. Undefined when an engine that was searched gave nothing. */
  evidence: Evidence | undefined
}

/** The photos of these albums that show a person, each with its best matching face. Each engine sees the selfies once.
 *  While photos move from one engine to another, both are searched. The former engine keeps a photo's faces until long
 *  after the move (see src/albums/move.ts), so no photo is missed.
 *  @param person with normalised selfies
 *  @throws AppError UNPROCESSABLE_CONTENT when no selfie shows a face; FORBIDDEN when there is no evidence for an
 *    engine that has to be searched. */
export async function photosLike(
  { db, faces, formerFaces, threshold }: MatchDeps,
  albumIds: string[],
  { evidence: former, ...person }: Person,
): Promise<PhotosLike> {
  const moving = await albumsInEngine(db, albumIds, formerFaces.engine)
  const searchIn = async (index: FaceIndex, albums: string[]) => {
    const evidence = former?.[index.engine]
    if (former && !evidence) throw searchUnknown()
    const query = { ...person, evidence }
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
    evidence: evidenceOf(answers),
  }
}

/** Undefined unless a later search can use them all. */
function evidenceOf(answers: EngineAnswer[]): Evidence | undefined {
  const all: Evidence = {}
  for (const { engine, evidence } of answers) {
    if (!evidence) return undefined
    all[engine] = evidence
  }
  return all
}
