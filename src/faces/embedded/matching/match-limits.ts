import type { NonMateDistances } from './non-mate-distances.ts'

/** Distances up to which a face is shown. */
export interface MatchLimits {
  /** Surely the person. */
  sure: number
  /** The person is asked about it. */
  possible: number
  /** Farther from all selfies and confirmed faces, a face need not be looked at. */
  reach: number
  /** The median distance of two people. */
  nonMates: number
}

/** Strangers that a search may be expected to show as sure, to ask about, and to look at. */
const EXPECTED = { sure: 0.01, possible: 5, reach: 1_000 }

/** A face that is farther from the selfie than the possible limit can still be within it of the average. Of 80
 *  portraits of 14 people, 76 of a person's 655 possible faces were farther, and 1 was farther by more than this. */
const BEYOND_POSSIBLE = 0.1

/** What the limits may be, whatever the strangers of an album are like. 80 portraits of 14 people: of the pairs of one
 *  person, 87% were closer than 0.40, 98.4% than 0.55 and all than 0.59; no two people were closer than 0.64. */
const BOUNDS = { sure: [0.4, 0.55], possible: [0.52, 0.62] } as const

/** People who have nothing to do with each other: 80 portraits of 14 people (median 0.913, deviation of the lower half
 *  0.096, 2,847 pairs), and the same with 150 faces of crowds (0.863 and 0.080, 12,000 pairs). At one event people are
 *  closer: in photos of one crowd each, the medians were 0.51 to 0.81. */
const UNKNOWN_NON_MATES: NonMateDistances = { pairs: 10, median: 0.9, deviation: 0.092 }

/** The limits of an album. The expected number of strangers within a limit is the number of faces times the chance that
 *  one stranger is that close. This also holds when several faces are of one person. The chance is the tail of a normal
 *  distribution that has the median and the lower half of the distances of strangers in this album. While few pairs
 *  are known, most of it is the distribution of other albums.
 *
 *  How good the tail is: fitted to the 12,000 pairs above, it said 0.676, 0.615 and 0.564 for the closest 1%, 0.1% and
 *  0.01%, and 0.671, 0.605 and 0.569 were measured. In 23 other groups, what was measured was at most 0.03 closer than the
 *  tail said, and up to 0.15 farther. Beyond 0.01% it is not measured.
 *  @param faces in the album
 *  @param seen the non-mates of the album; missing when no photo shows two people */
export function matchLimits(faces: number, seen?: NonMateDistances | null): MatchLimits {
  const { median, deviation } = seen ? blended(seen, UNKNOWN_NON_MATES) : UNKNOWN_NON_MATES
  const tail = (expected: number) => median - deviation * deviationsOf(expected / Math.max(1, faces))
  const sure = between(tail(EXPECTED.sure), BOUNDS.sure)
  const possible = between(tail(EXPECTED.possible), BOUNDS.possible)
  const reach = between(tail(EXPECTED.reach), [possible, possible + BEYOND_POSSIBLE])
  return { sure, possible, reach, nonMates: median }
}

/** The same limits with another sure one. */
export function withSureLimit(limits: MatchLimits, sure: number): MatchLimits {
  const possible = Math.max(limits.possible, sure)
  return { ...limits, sure, possible, reach: Math.max(limits.reach, possible) }
}

function between(value: number, [least, most]: readonly [number, number]): number {
  return Math.min(Math.max(value, least), most)
}

function blended(one: NonMateDistances, other: NonMateDistances): NonMateDistances {
  const pairs = one.pairs + other.pairs
  const mix = (a: number, b: number) => (a * one.pairs + b * other.pairs) / pairs
  return {
    pairs,
    median: mix(one.median, other.median),
    deviation: Math.sqrt(mix(one.deviation ** 2, other.deviation ** 2)),
  }
}

/** How many deviations below the middle of a normal distribution this part of it begins. Correct to 0.0005 (Abramowitz
 *  and Stegun, Handbook of Mathematical Functions, 26.2.23).
 *  @param part between 0 and 1
 *  @returns 0 for a part of 0.5 or more */
function deviationsOf(part: number): number {
  if (part >= 0.5) return 0
  const t = Math.sqrt(-2 * Math.log(part))
  return t - (2.515517 + t * (0.802853 + t * 0.010328)) / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)))
}
