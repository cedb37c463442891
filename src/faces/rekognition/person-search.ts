import type { RekognitionClient } from '@aws-sdk/client-rekognition'
import { hasCode } from '../../errors.ts'
import type { Log } from '../../log.ts'
import { foundByAny } from '../best-of-photos.ts'
import type { FaceMatch, FoundPerson, PersonQuery, PersonSearch } from '../face-index.ts'
import type { Pictures } from '../pictures.ts'
import { createDetectFaces } from './detect-faces.ts'
import { packEvidence, unpackEvidence } from './evidence-of-selfies.ts'
import type { FaceRecord, FaceRecords } from './face-records.ts'
import { isGood } from './face-trust.ts'
import { type Evidence, findPerson, type SimilarityLimits, similarityLimits } from './find-person.ts'
import type { Governor } from './governor.ts'
import { createSelfieSearch } from './selfie-search.ts'
import { createSimilarFaces, type SimilarFaces } from './similar-faces.ts'

/** Found faces that a search also searches by. Each is a call. */
const MOST_FOUND = 4
/** Confirmed faces that a search also searches by. Each is a call. */
const MOST_CONFIRMED = 4
/** A search looks for good ones among so many of the found faces, the best matches. */
const MOST_CONSIDERED = 100
/** A selfie with such a match is a picture of the album. Nobody has measured it: it is assumed that one picture and its
 *  copies reach it, and that two photos of a person do not. */
const SAME_PICTURE = 99.99
/** For calls whose answers may be missing. */
const OPTIONAL = { atMostMs: 4_000 }

/** What faces of the album are similar to, by their ids. */
type AskedFaces = Map<string, ReturnType<SimilarFaces['toFace']>>

/** What each selfie was similar to in all albums together.
 *  @param byAlbum for each album, what each selfie was similar to in it */
function selfiesOfAlbums(byAlbum: readonly FaceMatch[][][]): FaceMatch[][] {
  const [first = []] = byAlbum
  return first.map((_, place) => byAlbum.flatMap((selfies) => selfies[place]!))
}

/** @returns `search` of a face index */
export function createPersonSearch(options: {
  client: RekognitionClient
  governor: Governor
  pictures: Pictures
  records: FaceRecords
  log: Log
}): (albumIds: string[], person: PersonQuery, threshold?: number) => Promise<PersonSearch> {
  const { pictures, records } = options
  const similar = createSimilarFaces(options)
  const searchSelfies = createSelfieSearch({
    similar,
    detectFaces: createDetectFaces(options),
    pictures,
    optional: OPTIONAL,
  })

  /** Without those that the service has no time for, or no longer has.
   *  @param asked the answers so far: no face is asked about twice in a search */
  async function likeEach(
    faces: readonly FaceRecord[],
    limits: SimilarityLimits,
    asked: AskedFaces,
  ): Promise<{ face: FaceRecord; matches: FaceMatch[] }[]> {
    const answers = await Promise.all(
      faces.map(async (face) => {
        try {
          const answer = asked.get(face.faceId) ?? similar.toFace(face.albumId, face.faceId, limits, OPTIONAL)
          asked.set(face.faceId, answer)
          const matches = await answer
          return matches ? [{ face, matches }] : []
        } catch (error) {
          if (hasCode(error, 'SERVICE_UNAVAILABLE')) return []
          throw error
        }
      }),
    )
    return answers.flat()
  }

  async function likeConfirmed(faces: readonly FaceRecord[], limits: SimilarityLimits, asked: AskedFaces) {
    const good = faces.filter(({ quality }) => isGood(quality))
    const like = await likeEach(good.slice(0, MOST_CONFIRMED), limits, asked)
    return { own: faces, confirmed: like.map(({ matches }) => matches) }
  }

  /** Searches again by the best of what the selfies have surely found, and by what the person has confirmed. */
  async function hop(
    albumId: string,
    selfies: FaceMatch[][],
    { confirmed = [], rejected = [], isLater = false }: PersonQuery,
    limits: SimilarityLimits,
    asked: AskedFaces,
  ): Promise<FoundPerson> {
    const evidence: Evidence = { deciding: selfies, rejected: new Set(rejected) }
    const first = findPerson(evidence, limits)
      .sure.slice(0, MOST_CONSIDERED)
      .map(({ faceId }) => faceId)
    const isSure = new Set(first)
    const said = confirmed.filter((id) => !isSure.has(id) && !evidence.rejected.has(id))
    const known = await recordsInOrder([albumId], [...first, ...said])
    const good = known
      .filter(({ faceId, quality }) => isSure.has(faceId) && isGood(quality))
      .slice(0, MOST_FOUND)
    const own = known.filter(({ faceId }) => !isSure.has(faceId))
    const [found, fromConfirmed] = await Promise.all([
      likeEach(good, limits, asked),
      likeConfirmed(own, limits, asked),
    ])
    const like = found.map(({ matches }) => matches)
    const deciding = isLater ? [...selfies, ...like.slice(0, 1)] : selfies
    return findPerson({ ...evidence, ...fromConfirmed, deciding, found: like }, limits)
  }

  /** What all selfies find together, and what each of them finds alone: which faces are searched by, and which agree, is not
   *  the same, and no selfie may take a photo of another one away. */
  async function hopByEach(
    albumId: string,
    selfies: FaceMatch[][],
    person: PersonQuery,
    limits: SimilarityLimits,
  ): ReturnType<typeof hop> {
    const asked: AskedFaces = new Map()
    const groups = selfies.length > 1 ? [selfies, ...selfies.map((one) => [one])] : [selfies]
    const answers = await Promise.all(groups.map((group) => hop(albumId, group, person, limits, asked)))
    return foundByAny(answers)
  }

  async function bySelfies(
    albumIds: string[],
    person: PersonQuery,
    limits: SimilarityLimits,
  ): Promise<PersonSearch> {
    const former = await formerMatches(albumIds, person.evidence)
    const { byAlbum, look } = await searchSelfies(albumIds, person.selfies, limits, former)
    if (byAlbum.size === 0) return { found: new Map(), selfies: [] }
    const [selfies, answers] = await Promise.all([
      look(),
      Promise.all(
        [...byAlbum].map(
          async ([albumId, matches]) => [albumId, await hopByEach(albumId, matches, person, limits)] as const,
        ),
      ),
    ])
    const evidence = packEvidence(selfiesOfAlbums([...byAlbum.values()]))
    const isFromAlbum = (albumId: string) =>
      byAlbum.get(albumId)!.some((matches) => matches.some(({ similarity }) => similarity >= SAME_PICTURE))
    return {
      found: new Map(
        answers.map(([albumId, found]) => [
          albumId,
          { ...found, ...(isFromAlbum(albumId) && { isFromAlbum: true as const }) },
        ]),
      ),
      selfies,
      ...(evidence && { evidence }),
    }
  }

  /** What the selfies of an earlier search were similar to, by album. Faces that have been removed since are missing.
   *  @returns undefined when there were none */
  async function formerMatches(
    albumIds: string[],
    evidence: Buffer | undefined,
  ): Promise<Map<string, FaceMatch[][]> | undefined> {
    if (!evidence) return undefined
    const { selfies, faces } = unpackEvidence(evidence)
    const known = await records(
      albumIds,
      faces.map(({ faceId }) => faceId),
    )
    const recordOf = new Map(known.map((record) => [record.faceId, record]))
    const matchesIn = (albumId: string, place: number) =>
      faces.flatMap(({ faceId, similarities }) => {
        const [record, similarity] = [recordOf.get(faceId), similarities[place]!]
        return record?.albumId === albumId && similarity > 0
          ? [{ faceId, photoId: record.photoId, similarity }]
          : []
      })
    return new Map(
      albumIds.map((albumId) => [
        albumId,
        Array.from({ length: selfies }, (_, place) => matchesIn(albumId, place)),
      ]),
    )
  }

  /** Which of these faces are in these albums, in the order of `faceIds`. */
  async function recordsInOrder(albumIds: string[], faceIds: string[]): Promise<FaceRecord[]> {
    const found = new Map((await records(albumIds, faceIds)).map((record) => [record.faceId, record]))
    return faceIds.flatMap((faceId) => found.get(faceId) ?? [])
  }

  return (albumIds, person, threshold) => bySelfies(albumIds, person, similarityLimits(threshold))
}
