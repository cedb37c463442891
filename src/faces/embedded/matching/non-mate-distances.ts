import { distanceOf } from './query-embedding.ts'

/** How far from each other the people of an album are who are in one photo, and so are not the same person. */
export interface NonMateDistances {
  /** The number of distinct pairs of people. */
  pairs: number
  median: number
  /** The deviation of the normal distribution with the same lower half. The limits are about small distances, and large
   *  ones say nothing about them: a man and a woman are farther apart than two men. */
  deviation: number
}

/** Those of an album as they were measured last. They are stored, so that all processes use the same limits. */
export interface MeasuredNonMates extends NonMateDistances {
  /** The faces that the album had then. */
  faces: number
}

/** A face that is good enough to be searched by (see face-trust.ts). */
export interface GoodFace {
  photoId: string
  descriptor: Float32Array
}

type Pair = readonly [Float32Array, Float32Array]

/** Each is compared with all others, which takes 10 ms. The median of so many is within 0.015. */
const MAX_PAIRS = 200

/** Two faces of one photo that are closer are one person: in a mirror, on a screen, in a collage. */
const ONE_PERSON = 0.35

/** Pairs whose faces are closer, one by one, are the same two people. */
const SAME_PAIR = 0.5

/** No pair: the limits are those of other albums. */
const NO_PAIRS: NonMateDistances = { pairs: 0, median: 0, deviation: 0 }

/** A photo gives one pair, its first two faces, so that a group photo does not outweigh all others. People who are in many
 *  photos together count once.
 *  @param faces photo by photo; of a photo the largest first */
export function nonMateDistances(faces: readonly GoodFace[]): NonMateDistances {
  const pairs: Pair[] = []
  const distances: number[] = []
  for (const [one, other] of Map.groupBy(faces, ({ photoId }) => photoId).values()) {
    if (!other || pairs.length === MAX_PAIRS) continue
    const pair: Pair = [one!.descriptor, other.descriptor]
    const distance = distanceOf(...pair)
    if (distance < ONE_PERSON || pairs.some((known) => areSame(known, pair))) continue
    distances.push(distance)
    pairs.push(pair)
  }
  return distances.length > 0 ? summaryOf(distances.sort((one, other) => one - other)) : NO_PAIRS
}

function areSame([a, b]: Pair, [c, d]: Pair): boolean {
  const areClose = (one: Float32Array, other: Float32Array) => distanceOf(one, other) < SAME_PAIR
  return (areClose(a, c) && areClose(b, d)) || (areClose(a, d) && areClose(b, c))
}

/** @param sorted at least one distance, the smallest first */
function summaryOf(sorted: number[]): NonMateDistances {
  const middle = Math.floor((sorted.length - 1) / 2)
  const median = (sorted[middle]! + sorted[sorted.length - 1 - middle]!) / 2
  const lower = sorted.slice(0, middle + 1)
  const squares = lower.reduce((sum, distance) => sum + (distance - median) ** 2, 0)
  return { pairs: sorted.length, median, deviation: Math.sqrt(squares / lower.length) }
}
