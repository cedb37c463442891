const NUMBERS = 128

/** The median distances of the pictures of one person and of two strangers (see docs/matching.md). */
const OWN = 0.33
const STRANGERS = 0.9

/** Makes descriptors that are as far apart as those of real people. The same ones in every run. */
export function syntheticPeople(seed = 1) {
  const next = randomNumbers(seed)
  const normal = () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next())
  const nowhere = new Float32Array(NUMBERS)
  const at = (from: Float32Array, distance: number) => {
    const direction = from.map(normal)
    const length = Math.hypot(...direction)
    return from.map((value, i) => value + (distance * direction[i]!) / length)
  }
  return {
    /** The middle of all pictures of somebody. */
    person: () => at(nowhere, Math.sqrt((STRANGERS ** 2 - OWN ** 2) / 2)),
    /** A picture of a person. @param away its distance from the middle */
    pictureOf: (person: Float32Array, away = OWN / Math.SQRT2) => at(person, away),
    /** Somebody who looks like another person. @param distance of their middles */
    lookAlike: at,
  }
}

/** Numbers from 0 to 1 that look random and are the same in every run (mulberry32). */
export function randomNumbers(seed = 1): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
