import type { AppContext } from '../context.ts'
import { ANSWERED_MAX_FACES, SEARCH_MAX_SELFIES } from '../contract/limits.ts'
import { OPT_OUT_MAX_FACES } from '../contract/opt-outs.ts'
import type { Db } from '../database/client.ts'
import { AppError } from '../errors.ts'
import { foundByAny } from '../faces/best-of-photos.ts'
import type { FaceMatch, FoundPerson, PersonQuery, SelfieFaces } from '../faces/face-index.ts'
import { facesOptedOut, shownFaces } from '../photos/face-queries.ts'
import {
  type Answers,
  type Evidence,
  isByNewSelfies,
  mergeAnswers,
  openSearch,
  type Searcher,
  type SearchToken,
  sealSearch,
  searchUnknown,
} from './search-token.ts'

/** Who is searched for. */
export interface Person extends Omit<PersonQuery, 'evidence'> {
  /** In place of the selfies of an earlier search, or beside further ones. */
  evidence?: Evidence | undefined
}

/** What was found in all albums together. No photo is in it twice. */
export interface PhotosLike extends FoundPerson {
  selfies: SelfieFaces[]
  /** What stands in place of the selfies in a repeated search. Undefined when the engine gave nothing. */
  evidence: Evidence | undefined
}

/** The photos of these albums that show a person, each with its best matching face.
 *  @param person with decoded selfies
 *  @throws AppError UNPROCESSABLE_CONTENT when no selfie shows a face; FORBIDDEN when the evidence is of another engine than
 *    the configured one */
export async function photosLike(
  { db, faces, threshold }: Pick<AppContext, 'db' | 'faces' | 'threshold'>,
  albumIds: string[],
  { evidence: former, ...person }: Person,
): Promise<PhotosLike> {
  if (former && former.engine !== faces.engine) throw searchUnknown()
  const answer = await faces.search(albumIds, { ...person, evidence: former?.bytes }, threshold)
  const found = [...answer.found.values()]
  const isShown = await whichAreShown(
    db,
    found.flatMap(({ sure, possible }) => [...sure, ...possible]),
  )
  return {
    ...foundByAny(
      found.map((one) => ({
        ...one,
        sure: one.sure.filter(isShown),
        possible: one.possible.filter(isShown),
      })),
    ),
    selfies: answer.selfies,
    evidence: answer.evidence && { engine: faces.engine, bytes: answer.evidence },
  }
}

/** Leaves out the faces that have opted out. The engine keeps such a face until the opt-out is erased and a job has removed it.
 *  So in a photo with such a face, a face counts only when it has a row that no opt-out hides. */
async function whichAreShown(db: Db, matches: FaceMatch[]): Promise<(match: FaceMatch) => boolean> {
  const rows = await facesOptedOut(
    db,
    matches.map(({ photoId }) => photoId),
  )
  if (rows.length === 0) return () => true
  const photos = new Set(rows.map((row) => row.photo_id))
  const inPhotos = matches.filter(({ photoId }) => photos.has(photoId)).map(({ faceId }) => faceId)
  const known = new Set((await shownFaces(db, inPhotos)).map(({ id }) => id))
  return ({ faceId, photoId }) => !photos.has(photoId) || known.has(faceId)
}

/** Who is searched for, as a visitor says it. */
export interface SearchedPerson {
  /** Decoded selfies of one person. At least one, or none with a token. */
  pictures: Buffer[]
  /** That of an earlier search for the same person. */
  token?: string | undefined
  /** Which face of each picture is the person. */
  faces?: number[] | undefined
  /** Ids of faces: all that the person has said in this visit. Without both lists, what the token has. */
  confirmed?: string[] | undefined
  rejected?: string[] | undefined
}

export interface FoundInAlbum extends PhotosLike {
  /** Seals what repeats this search. Undefined when nothing can. */
  seal: ((remember: boolean) => { token: string; endsAt: Date }) | undefined
  /** The faces with which the person can opt out: those that were surely found, the best match first. A face that the person has
   *  confirmed is not one of them, because nobody else says whose it is. Undefined when the search does not show who is asking:
   *  anybody can have a picture of the album, and who is remembered may have sent theirs weeks ago. */
  own: FaceMatch[] | undefined
}

export const tooManySelfies = (most: number) =>
  new AppError(
    'BAD_REQUEST',
    most === 1 ? 'Please send one photo only' : `Please send at most ${most} photos of a person`,
  )
export const notAsked = () =>
  new AppError(
    'BAD_REQUEST',
    'You can only answer about faces that a search of yours has asked about. Please search again.',
  )
export const newSelfieNeeded = () =>
  new AppError(
    'UNPROCESSABLE_CONTENT',
    'This search does not show who is asking. Please search with a selfie that you take now.',
  )

const NOTHING: Answers = { confirmed: [], rejected: [] }

/** The photos of the album that show a person. The pictures stay in memory.
 *  @throws AppError when no picture shows a face, there are too many, the token is not valid, or the person was not asked about a
 *    face that they confirm */
export async function findInAlbum(
  { keyring, ...deps }: Pick<AppContext, 'db' | 'faces' | 'keyring' | 'threshold'>,
  searcher: Searcher,
  searched: SearchedPerson,
): Promise<FoundInAlbum> {
  const { pictures, token, faces = [] } = searched
  const former = token === undefined ? undefined : openSearch(keyring, searcher, token)
  const selfies = pictures.length + (former?.selfies ?? 0)
  if (selfies > SEARCH_MAX_SELFIES) throw tooManySelfies(SEARCH_MAX_SELFIES)
  const { kept, answers } = saidOf(searched, former)
  const said = mergeAnswers(kept, answers)
  const isConfirmed = new Set(said.confirmed)
  const searchedAt = Date.now()
  const selfiesAt = former && pictures.length === 0 ? former.selfiesAt : searchedAt
  const isNow = isByNewSelfies({ selfiesAt })
  const found = await photosLike(deps, [searcher.album.id], {
    selfies: pictures.map((image, index) => ({ image, face: faces[index] })),
    evidence: former?.evidence,
    isLater: !isNow,
    ...said,
  })
  const { evidence, sure, possible, isFromAlbum } = found
  const asked = new Set([...possible.map(({ faceId }) => faceId), ...(former?.asked ?? [])])
  const search = {
    ...{ selfies, selfiesAt, searchedAt, kept, answers, asked: [...asked].slice(0, ANSWERED_MAX_FACES) },
    rememberedUntil: former?.rememberedUntil,
  }
  return {
    ...found,
    seal: evidence && ((remember) => sealSearch(keyring, searcher, { ...search, evidence }, remember)),
    own: isFromAlbum || !isNow ? undefined : sure.filter(({ faceId }) => !isConfirmed.has(faceId)),
  }
}

function saidOf(
  { confirmed, rejected }: SearchedPerson,
  former: SearchToken | undefined,
): Pick<SearchToken, 'kept' | 'answers'> {
  const { kept, answers, asked } = former ?? { kept: NOTHING, answers: NOTHING, asked: [] }
  if (!confirmed && !rejected) return { kept: mergeAnswers(kept, answers), answers: NOTHING }
  const known = new Set([...asked, ...kept.confirmed, ...answers.confirmed])
  if (confirmed?.some((id) => !known.has(id))) throw notAsked()
  return { kept, answers: { confirmed: confirmed ?? [], rejected: rejected ?? [] } }
}

/** The ids of the faces with which a person opts out.
 *  @param except ids of faces that are not theirs
 *  @throws AppError UNPROCESSABLE_CONTENT when the search does not show who is asking, FORBIDDEN when the token is not valid */
export async function facesToOptOut(
  deps: Pick<AppContext, 'db' | 'faces' | 'keyring' | 'threshold'>,
  searcher: Searcher,
  { token, except }: { token: string; except: string[] },
): Promise<string[]> {
  const { own } = await findInAlbum(deps, searcher, { pictures: [], token })
  if (!own) throw newSelfieNeeded()
  const others = new Set(except)
  const first = own.slice(0, OPT_OUT_MAX_FACES).map(({ faceId }) => faceId)
  return first.filter((id) => !others.has(id))
}
