import type { RekognitionClient } from '@aws-sdk/client-rekognition'
import { hasCode } from '../../errors.ts'
import type { Log } from '../../log.ts'
import { ticketRefused } from '../errors.ts'
import type { FaceMatch, FoundPerson, PersonQuery, PersonSearch } from '../face-index.ts'
import type { Pictures } from '../pictures.ts'
import { createDetectFaces } from './detect-faces.ts'
import type { FaceRecord, FaceRecords } from './face-records.ts'
import { isGood } from './face-trust.ts'
import { type Evidence, findPerson, type SimilarityLimits, similarityLimits } from './find-person.ts'
import type { Governor } from './governor.ts'
import { packTemplate, unpackTemplate } from './person-template.ts'
import { createSelfieSearch } from './selfie-search.ts'
import { createSimilarFaces } from './similar-faces.ts'

/** Found faces that a search also searches by, and that a template remembers. Each is a call. */
const MOST_FOUND = 4
/** Confirmed faces that a search also searches by. Each is a call. */
const MOST_CONFIRMED = 4
/** A search looks for good ones among so many of the found faces, the best matches. */
const MOST_CONSIDERED = 100
/** For calls whose answers may be missing. */
const OPTIONAL = { atMostMs: 4_000 }

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

  /** Without those that the service has no time for, or no longer has. */
  async function likeEach(
    faces: readonly FaceRecord[],
    limits: SimilarityLimits,
  ): Promise<{ face: FaceRecord; matches: FaceMatch[] }[]> {
    const answers = await Promise.all(
      faces.map(async (face) => {
        try {
          const matches = await similar.toFace(face.albumId, face.faceId, limits, OPTIONAL)
          return matches ? [{ face, matches }] : []
        } catch (error) {
          if (hasCode(error, 'SERVICE_UNAVAILABLE')) return []
          throw error
        }
      }),
    )
    return answers.flat()
  }

  async function likeConfirmed(faces: readonly FaceRecord[], limits: SimilarityLimits) {
    const good = faces.filter(({ quality }) => isGood(quality))
    const like = await likeEach(good.slice(0, MOST_CONFIRMED), limits)
    return { own: faces, confirmed: like.map(({ matches }) => matches) }
  }

  /** Searches again by the best of what the selfies have surely found, and by what the person has confirmed. */
  async function hop(
    albumId: string,
    selfies: FaceMatch[][],
    { confirmed = [], rejected = [] }: PersonQuery,
    limits: SimilarityLimits,
  ): Promise<{ found: FoundPerson; remembered: string[] }> {
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
    const [found, fromConfirmed] = await Promise.all([likeEach(good, limits), likeConfirmed(own, limits)])
    return {
      found: findPerson(
        { ...evidence, ...fromConfirmed, found: found.map(({ matches }) => matches) },
        limits,
      ),
      remembered: good.map(({ faceId }) => faceId),
    }
  }

  async function bySelfies(
    albumIds: string[],
    person: PersonQuery,
    limits: SimilarityLimits,
  ): Promise<PersonSearch> {
    const { byAlbum, look } = await searchSelfies(albumIds, person.selfies, limits)
    if (byAlbum.size === 0) return { found: new Map(), selfies: [] }
    const [selfies, answers] = await Promise.all([
      look(),
      Promise.all(
        [...byAlbum].map(
          async ([albumId, matches]) => [albumId, await hop(albumId, matches, person, limits)] as const,
        ),
      ),
    ])
    const remembered = answers.flatMap(([, answer]) => answer.remembered)
    return {
      found: new Map(answers.map(([albumId, { found }]) => [albumId, found])),
      selfies,
      ...(remembered.length > 0 && { template: packTemplate(remembered) }),
    }
  }

  /** Searches an album by remembered faces, the best match of the selfies first. That one decides in place of the selfies. */
  async function byRemembered(
    faces: readonly FaceRecord[],
    confirmed: readonly FaceRecord[],
    rejected: ReadonlySet<string>,
    limits: SimilarityLimits,
  ): Promise<{ found: FoundPerson; remembered: string[] } | undefined> {
    const [answers, fromConfirmed] = await Promise.all([
      Promise.all(faces.map(({ albumId, faceId }) => similar.toFace(albumId, faceId, limits))),
      likeConfirmed(confirmed, limits),
    ])
    const remaining = faces.filter((_, index) => answers[index])
    const [deciding, ...found] = answers.filter((matches) => matches !== undefined)
    if (!deciding) return undefined
    return {
      found: findPerson(
        {
          deciding: [deciding],
          found,
          confirmed: fromConfirmed.confirmed,
          own: [...remaining, ...confirmed],
          rejected,
        },
        limits,
      ),
      remembered: remaining.map(({ faceId }) => faceId),
    }
  }

  async function byTemplate(
    albumIds: string[],
    template: Buffer,
    { confirmed = [], rejected = [] }: PersonQuery,
    limits: SimilarityLimits,
  ): Promise<PersonSearch> {
    const isRejected = new Set(rejected)
    const ids = unpackTemplate(template)
    const known = await recordsInOrder(albumIds, [...new Set([...ids, ...confirmed])])
    const [remembered, others] = [new Set(ids), new Set(confirmed)]
    const answers = await Promise.all(
      albumIds.map(async (albumId) => {
        const here = known.filter((face) => face.albumId === albumId && !isRejected.has(face.faceId))
        const answer = await byRemembered(
          here.filter(({ faceId }) => remembered.has(faceId)),
          here.filter(({ faceId }) => others.has(faceId) && !remembered.has(faceId)),
          isRejected,
          limits,
        )
        return [albumId, answer] as const
      }),
    )
    const found = answers.flatMap(([albumId, answer]) => (answer ? [{ albumId, ...answer }] : []))
    if (found.length === 0) throw ticketRefused()
    return {
      found: new Map(found.map((answer) => [answer.albumId, answer.found])),
      selfies: [],
      template: packTemplate(found.flatMap((answer) => answer.remembered)),
    }
  }

  /** Which of these faces are in these albums, in the order of `faceIds`. */
  async function recordsInOrder(albumIds: string[], faceIds: string[]): Promise<FaceRecord[]> {
    const found = new Map((await records(albumIds, faceIds)).map((record) => [record.faceId, record]))
    return faceIds.flatMap((faceId) => found.get(faceId) ?? [])
  }

  return (albumIds, person, threshold) => {
    const limits = similarityLimits(threshold)
    return person.template
      ? byTemplate(albumIds, person.template, person, limits)
      : bySelfies(albumIds, person, limits)
  }
}
