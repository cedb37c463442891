import { foundByEach } from '../best-of-photos.ts'
import type { FaceMatch, FoundPerson, PersonQuery, PersonSearch } from '../face-index.ts'
import type { Pictures } from '../pictures.ts'
import type { Calls } from './calls.ts'
import type { FaceRecord, FaceRecords } from './face-record-queries.ts'
import { isGood } from './face-trust.ts'
import { findPerson, type SimilarityLimits, similarityLimits } from './find-person.ts'
import { packAnswers, unpackAnswers } from './packed-answers.ts'
import { createSearchCalls, type SearchCalls } from './search-calls.ts'
import { createSelfieSearch } from './selfie-search.ts'

/** Found faces, and confirmed ones, that a search also searches by. Each is a call. */
const MOST_FOUND = 4
const MOST_CONFIRMED = 4
/** A search looks for good ones among so many of the found faces, the best matches. */
const MOST_CONSIDERED = 100
/** A selfie with such a match is a picture of the album. Nobody has measured it: it is assumed that one picture and its
 *  copies reach it, and that two photos of a person do not. */
const SAME_PICTURE = 99.99

/** What faces of the album are similar to, by their ids: no face is asked about twice in a search. */
type Answers = Map<string, ReturnType<SearchCalls['likeFace']>>

/** @returns `search` of a face index */
export function createPersonSearch(options: {
  calls: Calls
  pictures: Pictures
  records: FaceRecords
}): (albumIds: string[], person: PersonQuery, threshold?: number) => Promise<PersonSearch> {
  const { records } = options
  const service = createSearchCalls(options.calls)
  const searchSelfies = createSelfieSearch(service, options.pictures)

  /** What these faces are similar to, without those that the service has no time for, or no longer has. */
  async function likeEach(faces: readonly FaceRecord[], limits: SimilarityLimits, answers: Answers) {
    for (const { albumId, faceId } of faces)
      if (!answers.has(faceId)) answers.set(faceId, service.likeFace(albumId, faceId, limits))
    const matches = await Promise.all(faces.map(({ faceId }) => answers.get(faceId)!))
    return matches.filter((one) => one !== undefined)
  }

  /** Query expansion: searches again by the best of what the selfies have surely found, and by what the person has
   *  confirmed. */
  async function findExpanded(
    albumId: string,
    selfies: readonly FaceMatch[][],
    person: PersonQuery,
    limits: SimilarityLimits,
    answers: Answers,
  ): Promise<FoundPerson> {
    const { confirmed = [], isLater = false } = person
    const rejected = new Set(person.rejected)
    const first = findPerson({ deciding: selfies, rejected }, limits).sure.slice(0, MOST_CONSIDERED)
    const sureIds = new Set(first.map(({ faceId }) => faceId))
    const faceIds = [...new Set([...sureIds, ...confirmed.filter((id) => !rejected.has(id))])]
    const recordOf = await records([albumId], faceIds)
    const known = faceIds.flatMap((faceId) => recordOf.get(faceId) ?? [])
    const good = known.filter(({ quality }) => isGood(quality))
    const own = known.filter(({ faceId }) => !sureIds.has(faceId))
    const goodSure = good.filter(({ faceId }) => sureIds.has(faceId))
    const goodOwn = good.filter(({ faceId }) => !sureIds.has(faceId))
    const [byFound, byConfirmed] = await Promise.all([
      likeEach(goodSure.slice(0, MOST_FOUND), limits, answers),
      likeEach(goodOwn.slice(0, MOST_CONFIRMED), limits, answers),
    ])
    const deciding = isLater ? [...selfies, ...byFound.slice(0, 1)] : selfies
    return findPerson({ deciding, found: byFound, confirmed: byConfirmed, own, rejected }, limits)
  }

  /** What the selfies of an earlier search were similar to, by album. Faces that have been removed since are missing.
   *  @returns undefined when there were none */
  async function earlierMatches(albumIds: string[], packed: Buffer | undefined) {
    if (!packed) return undefined
    const selfies = unpackAnswers(packed)
    const faceIds = new Set(selfies.flat().map(({ faceId }) => faceId))
    const recordOf = await records(albumIds, [...faceIds])
    const inAlbum = (albumId: string, matches: (typeof selfies)[number]): FaceMatch[] =>
      matches.flatMap((match) => {
        const record = recordOf.get(match.faceId)
        return record?.albumId === albumId ? { ...match, photoId: record.photoId } : []
      })
    return new Map(albumIds.map((albumId) => [albumId, selfies.map((matches) => inAlbum(albumId, matches))]))
  }

  return async (albumIds, person, threshold) => {
    const limits = similarityLimits(threshold, person.amongChildren)
    const earlier = await earlierMatches(albumIds, person.evidence)
    const { byAlbum, look } = await searchSelfies(albumIds, person.selfies, limits, earlier)
    if (byAlbum.size === 0) return { found: new Map(), selfies: [] }
    const findIn = async (albumId: string, selfies: FaceMatch[][]) => {
      const answers: Answers = new Map()
      const found = await foundByEach(selfies, (some) => findExpanded(albumId, some, person, limits, answers))
      const isFromAlbum = selfies.flat().some(({ similarity }) => similarity >= SAME_PICTURE)
      return [albumId, { ...found, ...(isFromAlbum && { isFromAlbum: true as const }) }] as const
    }
    const [selfies, found] = await Promise.all([
      look(),
      Promise.all([...byAlbum].map(([albumId, matches]) => findIn(albumId, matches))),
    ])
    const ofAlbums = [...byAlbum.values()]
    const evidence = packAnswers(ofAlbums[0]!.map((_, place) => ofAlbums.flatMap((album) => album[place]!)))
    return { found: new Map(found), selfies, ...(evidence && { evidence }) }
  }
}
