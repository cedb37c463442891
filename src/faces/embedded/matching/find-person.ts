import { bestOfPhotos, foundPerson } from '../../best-of-photos.ts'
import type { FaceMatch, FoundPerson } from '../../face-index.ts'
import type { MatchLimits } from './match-limits.ts'
import { distanceOf, embeddingOf, type QueryEmbedding, type QueryFace } from './query-embedding.ts'
import { similarityOfDistance } from './similarity.ts'

export interface AlbumFace extends QueryFace {
  faceId: string
  photoId: string
}

/** Where the search begins. A face that is out of the limits' reach of all of these is not found.
 *  @param confirmed may be empty */
export function startOf(selfies: readonly QueryFace[], confirmed: readonly QueryFace[]): Float32Array[] {
  return [goodOrAll(selfies), confirmed]
    .filter((faces) => faces.length > 0)
    .map((faces) => embeddingOf(faces.map(descriptorIn)).centre)
}

export interface DescribedPerson {
  /** At least one. */
  selfies: readonly QueryFace[]
  /** Faces that the person has recognised as theirs. */
  confirmed?: readonly AlbumFace[]
  /** The ids of faces that the person has said are not theirs. */
  rejected?: ReadonlySet<string>
}

/** With so many good faces found, the average decides alone. */
const ENOUGH_FOUND = 2

/** The face beside a sure one is somebody else's when it is farther from the person than this part of the sure limit. What
 *  is closer may be the person again, in a mirror or on a screen. */
const SOMEBODY_ELSE = 0.75

/** So many faces of other people are compared with each candidate: those that are most like the person. */
const MOST_OTHERS = 100

interface Candidate extends AlbumFace, FaceMatch {
  toSelfies: number
  toAverage: number
  /** To the nearest of the selfies' average, the average of all pictures, and the confirmed faces. Its similarity follows. */
  toNearest: number
}

/** What the first of two steps has found. */
export interface FirstStep {
  /** The average of the selfies, the good faces that were found, and the good ones that the person has recognised. */
  average: Float32Array
  /** The photos in which the person was found. */
  photoIds: string[]
  /** Takes the second step.
   *  @param further the other faces within the possible limit of the average, and in the photos that were found. Those out
   *    of the limits' reach are missing, and others may be among them */
  finish(further: readonly AlbumFace[]): FoundPerson
}

/** Finds the photos of a person in two steps: the faces near the selfie, and then the faces near the average of the selfie
 *  and the good ones among them. The average is closer to the other pictures of the person, and not much closer to
 *  strangers. Of the ways that were compared, it is the simplest of the best: see docs/matching.md.
 *
 *  A wrong face among the found or confirmed ones can only bring in people who look like the person. Apart from
 *  confirmed faces, a sure face is never farther from the selfie than halfway between the two limits. And it is not
 *  closer to somebody who is beside the person in another photo. A person is in a photo once, so only the best face of a
 *  photo counts.
 *  @param faces of one album: all within the possible limit of the selfies' average or of a confirmed face. Those out of
 *    the limits' reach may be missing, and others may be among them */
export function beginToFind(
  query: DescribedPerson,
  faces: readonly AlbumFace[],
  limits: MatchLimits,
): FirstStep {
  const { confirmed = [], rejected } = query
  const selfies = goodOrAll(query.selfies)
  const strictness = Math.max(...selfies.map((selfie) => selfie.strictness))
  const start = embeddingOf(selfies.map(descriptorIn))
  const candidatesOf = (some: readonly AlbumFace[]): Candidate[] =>
    some
      .filter(({ faceId }) => !rejected?.has(faceId))
      .map((face) => {
        const distance = distanceOf(face.descriptor, start.centre)
        const similarity = similarityOfDistance(distance)
        return { ...face, toSelfies: distance, toAverage: distance, toNearest: distance, similarity }
      })
  const near = candidatesOf(faces)
  const startLimit = sureLimit(start, limits) - strictness
  const first = bestOfPhotos(near.filter((face) => face.toSelfies <= startLimit - face.strictness))
  const found = first.filter(isGood)
  const average = embeddingOf([...selfies, ...found, ...confirmed.filter(isGood)].map(descriptorIn))

  function finish(further: readonly AlbumFace[]): FoundPerson {
    const candidates = [...near, ...candidatesOf(further)]
    for (const candidate of candidates) measure(candidate, average, confirmed)
    const confirmedIds = new Set(confirmed.map(({ faceId }) => faceId))
    return foundPerson(
      [
        ...candidates.filter(({ faceId }) => confirmedIds.has(faceId)),
        ...nearAverage(candidates, first, sureLimit(average, limits) - strictness, limits),
        ...(found.length < ENOUGH_FOUND ? first : []),
      ],
      candidates.filter(({ toNearest }) => toNearest <= limits.possible),
    )
  }

  return { average: average.centre, photoIds: first.map(({ photoId }) => photoId), finish }
}

/** The faces that the average of all pictures says are of the person.
 *  @param limit the sure one for this average */
function nearAverage(
  candidates: readonly Candidate[],
  first: readonly Candidate[],
  limit: number,
  { sure, possible }: MatchLimits,
): Candidate[] {
  const farthest = (sure + possible) / 2
  const others = peopleBeside(first, candidates, SOMEBODY_ELSE * limit)
  const isSomebodyElse = ({ photoId, descriptor, toAverage }: Candidate) =>
    others.some((other) => other.photoId !== photoId && distanceOf(other.descriptor, descriptor) < toAverage)
  return candidates.filter(
    (candidate) =>
      candidate.toAverage <= limit - candidate.strictness &&
      candidate.toSelfies <= farthest &&
      !isSomebodyElse(candidate),
  )
}

const descriptorIn = ({ descriptor }: QueryFace) => descriptor

const isGood = ({ strictness }: QueryFace) => strictness === 0

/** Poor selfies are left out when there is a good one. */
function goodOrAll(selfies: readonly QueryFace[]): readonly QueryFace[] {
  const good = selfies.filter(isGood)
  return good.length > 0 ? good : selfies
}

function measure(candidate: Candidate, { centre }: QueryEmbedding, confirmed: readonly AlbumFace[]): void {
  const { descriptor, toSelfies } = candidate
  candidate.toAverage = distanceOf(descriptor, centre)
  const toConfirmed = confirmed.map((face) => distanceOf(descriptor, face.descriptor))
  candidate.toNearest = Math.min(toSelfies, candidate.toAverage, ...toConfirmed)
  candidate.similarity = similarityOfDistance(candidate.toNearest)
}

/** The sure limit for an average. Strangers are closer to an average than to its pictures. Their mean squared distance
 *  to the pictures is their squared distance to the average plus the spread. */
export function sureLimit({ spread }: QueryEmbedding, { sure, nonMates }: MatchLimits): number {
  return sure - (nonMates - Math.sqrt(Math.max(0, nonMates ** 2 - spread)))
}

/** The other people in the photos that were found first. */
function peopleBeside(
  first: readonly Candidate[],
  candidates: readonly Candidate[],
  beyond: number,
): AlbumFace[] {
  const [photoIds, isFirst] = [new Set(first.map(({ photoId }) => photoId)), new Set(first)]
  return candidates
    .filter((face) => face.toAverage > beyond && photoIds.has(face.photoId) && !isFirst.has(face))
    .sort((one, other) => one.toAverage - other.toAverage)
    .slice(0, MOST_OTHERS)
}

/** A selfie that is closer than this to a face of the album is a picture of the album. docs/matching.md has the measurement. */
export const TAKEN_FROM_ALBUM = 0.15

/** Whether a selfie is a picture that the album has: the same one, a screenshot or a crop of it.
 *  @param faces all that are possibly of the person */
export function areFromAlbum(selfies: readonly QueryFace[], faces: readonly AlbumFace[]): boolean {
  return selfies.some((selfie) =>
    faces.some((face) => distanceOf(selfie.descriptor, face.descriptor) <= TAKEN_FROM_ALBUM),
  )
}
