import { distanceOf } from './template.ts'

/** How far from each other the strangers of an album are. */
export interface StrangerDistances {
  /** The number of distinct couples. */
  couples: number
  median: number
  /** The deviation of the normal distribution with the same lower half. The limits are about small distances, and large
   *  ones say nothing about them: a man and a woman are farther apart than two men. */
  deviation: number
}

/** The strangers of an album as they were measured last. They are stored, so that all processes use the same limits. */
export interface MeasuredStrangers extends StrangerDistances {
  /** The faces that the album had then. */
  faces: number
}

/** A face that is good enough to be searched by (see face-trust.ts). */
export interface GoodFace {
  photoId: string
  descriptor: Float32Array
}

type Couple = readonly [Float32Array, Float32Array]

/** Each is compared with all others, which takes 10 ms. The median of so many is within 0.015. */
const MAX_COUPLES = 200

/** Two faces of one photo that are closer are one person: in a mirror, on a screen, in a collage. */
const ONE_PERSON = 0.35

/** Couples whose faces are closer, one by one, are the same couple. */
const SAME_COUPLE = 0.5

/** Measures the distances of people who are in one photo, because they are not the same person. A photo gives one
 *  couple, its first two faces, so that a group photo does not outweigh all others. People who are in many photos
 *  together count once.
 *  @param faces photo by photo; of a photo the largest first
 *  @returns undefined without a couple */
export function strangerDistances(faces: Iterable<GoodFace>): StrangerDistances | undefined {
  const couples: Couple[] = []
  const distances: number[] = []
  for (const couple of couplesOf(faces)) {
    const distance = distanceOf(...couple)
    if (distance < ONE_PERSON || couples.some((known) => areSame(known, couple))) continue
    distances.push(distance)
    if (couples.push(couple) === MAX_COUPLES) break
  }
  return distances.length > 0 ? summaryOf(distances.sort((one, other) => one - other)) : undefined
}

function* couplesOf(faces: Iterable<GoodFace>): Iterable<Couple> {
  let first: GoodFace | undefined
  let isPaired = false
  for (const face of faces) {
    if (first?.photoId !== face.photoId) {
      first = face
      isPaired = false
    } else if (!isPaired) {
      yield [first.descriptor, face.descriptor]
      isPaired = true
    }
  }
}

function areSame([a, b]: Couple, [c, d]: Couple): boolean {
  const areClose = (one: Float32Array, other: Float32Array) => distanceOf(one, other) < SAME_COUPLE
  return (areClose(a, c) && areClose(b, d)) || (areClose(a, d) && areClose(b, c))
}

/** @param sorted at least one distance, the smallest first */
function summaryOf(sorted: number[]): StrangerDistances {
  const middle = Math.floor((sorted.length - 1) / 2)
  const median = (sorted[middle]! + sorted[sorted.length - 1 - middle]!) / 2
  const lower = sorted.slice(0, middle + 1)
  const squares = lower.reduce((sum, distance) => sum + (distance - median) ** 2, 0)
  return { couples: sorted.length, median, deviation: Math.sqrt(squares / lower.length) }
}
