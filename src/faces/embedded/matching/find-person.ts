import { MOST_POSSIBLE } from '../../../contract/limits.ts'
import type { FaceMatch, FoundPerson } from '../../face-index.ts'
import type { MatchLimits } from './match-limits.ts'
import { similarityOfDistance } from './similarity.ts'
import { areCloser, distanceOf, type Template, templateOf } from './template.ts'

export interface QueryFace {
  descriptor: Float32Array
  /** See strictnessOf in face-trust.ts. */
  strictness: number
}

export interface AlbumFace extends QueryFace {
  faceId: string
  photoId: string
}

/** Where the search begins. A face that is out of the limits' reach of all of these is not found.
 *  @param confirmed may be empty */
export function startOf(selfies: readonly QueryFace[], confirmed: readonly QueryFace[]): Float32Array[] {
  return [goodOrAll(selfies), confirmed]
    .filter((faces) => faces.length > 0)
    .map((faces) => templateOf(faces.map(({ descriptor }) => descriptor)).centre)
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

interface Candidate {
  face: AlbumFace
  toSelfies: number
  toAverage: number
  /** To the nearest of the selfies' average, the average of all pictures, and the confirmed faces. */
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
  const start = templateOf(selfies.map(({ descriptor }) => descriptor))
  const candidatesOf = (some: readonly AlbumFace[]): Candidate[] =>
    some
      .filter(({ faceId }) => !rejected?.has(faceId))
      .map((face) => {
        const distance = distanceOf(face.descriptor, start.centre)
        return { face, toSelfies: distance, toAverage: distance, toNearest: distance }
      })
  const near = candidatesOf(faces)

  const startLimit = sureLimit(start, limits) - strictness
  const first = bestOfPhotos(
    near.filter(({ face, toSelfies }) => toSelfies <= startLimit - face.strictness),
    ({ toSelfies }) => toSelfies,
  )

  const found = [...first.values()].map(({ face }) => face).filter(isGood)
  const average = templateOf(
    [...selfies, ...found, ...confirmed.filter(isGood)].map(({ descriptor }) => descriptor),
  )

  function finish(further: readonly AlbumFace[]): FoundPerson {
    const candidates = [...near, ...candidatesOf(further)]
    for (const candidate of candidates) measure(candidate, average, confirmed)
    const second = nearAverage(candidates, first, sureLimit(average, limits) - strictness, limits)
    const confirmedIds = new Set(confirmed.map(({ faceId }) => faceId))
    const sure = bestOfPhotos(
      [
        ...candidates.filter(({ face }) => confirmedIds.has(face.faceId)),
        ...second,
        ...(found.length < ENOUGH_FOUND ? first.values() : []),
      ],
      ({ toNearest }) => toNearest,
    )
    const possible = bestOfPhotos(
      candidates.filter(({ face, toNearest }) => toNearest <= limits.possible && !sure.has(face.photoId)),
      ({ toNearest }) => toNearest,
    )
    return { sure: matchesOf(sure), possible: matchesOf(possible).slice(0, MOST_POSSIBLE) }
  }

  return { average: average.centre, photoIds: [...first.keys()], finish }
}

/** The faces that the average of all pictures says are of the person.
 *  @param limit the sure one for this average */
function nearAverage(
  candidates: readonly Candidate[],
  first: ReadonlyMap<string, Candidate>,
  limit: number,
  { sure, possible }: MatchLimits,
): Candidate[] {
  const farthest = (sure + possible) / 2
  const others = peopleBeside(first, candidates, SOMEBODY_ELSE * limit)
  const isSomebodyElse = ({ face, toAverage }: Candidate) =>
    others.some(
      (other) => other.photoId !== face.photoId && areCloser(other.descriptor, face.descriptor, toAverage),
    )
  return candidates.filter(
    (candidate) =>
      candidate.toAverage <= limit - candidate.face.strictness &&
      candidate.toSelfies <= farthest &&
      !isSomebodyElse(candidate),
  )
}

function isGood({ strictness }: QueryFace): boolean {
  return strictness === 0
}

/** Poor selfies are left out when there is a good one. */
function goodOrAll(selfies: readonly QueryFace[]): readonly QueryFace[] {
  const good = selfies.filter(isGood)
  return good.length > 0 ? good : selfies
}

function measure(candidate: Candidate, average: Template, confirmed: readonly AlbumFace[]): void {
  const { descriptor } = candidate.face
  candidate.toAverage = distanceOf(descriptor, average.centre)
  candidate.toNearest = Math.min(
    candidate.toSelfies,
    candidate.toAverage,
    ...confirmed.map((face) => distanceOf(descriptor, face.descriptor)),
  )
}

/** The sure limit for an average. Strangers are closer to an average than to its pictures. Their mean squared distance
 *  to the pictures is their squared distance to the average plus the spread. */
export function sureLimit({ spread }: Template, { sure, strangers }: MatchLimits): number {
  return sure - (strangers - Math.sqrt(Math.max(0, strangers ** 2 - spread)))
}

/** The other people in the photos that were found first. */
function peopleBeside(
  first: ReadonlyMap<string, Candidate>,
  candidates: readonly Candidate[],
  beyond: number,
): AlbumFace[] {
  return candidates
    .filter((candidate) => {
      const best = first.get(candidate.face.photoId)
      return best && best !== candidate && candidate.toAverage > beyond
    })
    .sort((one, other) => one.toAverage - other.toAverage)
    .slice(0, MOST_OTHERS)
    .map(({ face }) => face)
}

/** @param distance the face with the smallest value is the best of its photo */
function bestOfPhotos(
  candidates: readonly Candidate[],
  distance: (candidate: Candidate) => number,
): Map<string, Candidate> {
  const best = new Map<string, Candidate>()
  for (const candidate of candidates) {
    const { photoId } = candidate.face
    const other = best.get(photoId)
    if (!other || distance(candidate) < distance(other)) best.set(photoId, candidate)
  }
  return best
}

function matchesOf(best: ReadonlyMap<string, Candidate>): FaceMatch[] {
  return [...best.values()]
    .sort((one, other) => one.toNearest - other.toNearest)
    .map(({ face: { faceId, photoId }, toNearest }) => ({
      faceId,
      photoId,
      similarity: similarityOfDistance(toNearest),
    }))
}
