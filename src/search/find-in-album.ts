import type { AppContext } from '../context.ts'
import { ANSWERED_MAX_FACES, SEARCH_MAX_SELFIES } from '../contract/limits.ts'
import { OPT_OUT_MAX_FACES } from '../contract/opt-outs.ts'
import { AppError } from '../errors.ts'
import type { FaceMatch } from '../faces/face-index.ts'
import { type PhotosLike, photosLike } from './photos-like.ts'
import {
  type Answers,
  isByNewSelfies,
  mergeAnswers,
  openSearch,
  type Searcher,
  type SearchToken,
  sealSearch,
} from './search-token.ts'
import { tooManySelfies } from './selfie.ts'

/** Who is searched for, as a visitor says it. */
export interface SearchedPerson {
  /** Of one person, as normaliseSelfie gives them. At least one, or none with a token. */
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
  const searchedAt = Date.now()
  const selfiesAt = former && pictures.length === 0 ? former.selfiesAt : searchedAt
  const found = await photosLike(deps, [searcher.album.id], {
    selfies: pictures.map((image, index) => ({ image, face: faces[index] })),
    evidence: former?.evidence,
    isLater: !isByNewSelfies({ selfiesAt }),
    ...mergeAnswers(kept, answers),
  })
  const { evidence, sure, possible, isFromAlbum } = found
  const asked = new Set([...possible.map(({ faceId }) => faceId), ...(former?.asked ?? [])])
  const said = new Set(found.confirmed)
  const search = {
    ...{ selfies, selfiesAt, searchedAt, kept, answers, asked: [...asked].slice(0, ANSWERED_MAX_FACES) },
    rememberedUntil: former?.rememberedUntil,
  }
  return {
    ...found,
    seal: evidence && ((remember) => sealSearch(keyring, searcher, { ...search, evidence }, remember)),
    own:
      isFromAlbum || !isByNewSelfies({ selfiesAt })
        ? undefined
        : sure.filter(({ faceId }) => !said.has(faceId)),
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
  return own
    .slice(0, OPT_OUT_MAX_FACES)
    .map(({ faceId }) => faceId)
    .filter((id) => !others.has(id))
}
