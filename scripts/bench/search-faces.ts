import { createFaceSet, DESCRIPTOR_LENGTH } from '../../src/faces/embedded/matcher.ts'
import { distanceOfSimilarity } from '../../src/faces/embedded/similarity.ts'

const FACES = 50_000
const SEARCHES = 300
const PLAIN_SEARCHES = 60
const THRESHOLD = 80

/** The distance between strangers (see similarity.ts). It decides how early a comparison can stop. */
const STRANGERS_APART = 0.75

/** Measures how many ms it takes to find one face among 50,000 in memory. The yardstick is a plain loop over arrays of
 *  numbers that computes every distance completely. Both take turns and must find the same faces. */
export async function benchSearchFaces(): Promise<void> {
  const centre = Array.from({ length: DESCRIPTOR_LENGTH }, () => normal() / Math.sqrt(DESCRIPTOR_LENGTH))
  const deviation = STRANGERS_APART / Math.sqrt(2 * DESCRIPTOR_LENGTH)
  const someone = () => Float32Array.from(centre, (value) => value + normal() * deviation)
  const descriptors = Array.from({ length: FACES }, someone)
  const plain = descriptors.map((descriptor) => [...descriptor])
  const faces = createFaceSet()
  faces.add(descriptors.map((descriptor, i) => ({ faceId: `${i}`, photoId: `${i >> 2}`, descriptor })))

  const limit = distanceOfSimilarity(THRESHOLD)
  const ours: number[] = []
  const theirs: number[] = []
  for (let search = 0; search < SEARCHES; search++) {
    // The same person in another photo: a quarter of the distance to a stranger.
    const face = descriptors[(search * 7919) % FACES]!
    const probe = face.map((value) => value + (normal() * deviation) / 4)
    const found = timed(ours, () => faces.match(probe, THRESHOLD).length)
    if (search >= PLAIN_SEARCHES) continue
    const expected = timed(theirs, () => plainSearch(plain, [...probe], limit).length)
    if (found !== expected) throw new Error(`Found ${found} faces, the plain loop ${expected}.`)
  }
  console.log(`Matching one face among ${FACES} in memory, ms:`)
  console.log(`  ours          median ${at(ours, 0.5)}  p99 ${at(ours, 0.99)}   aim: under 20`)
  console.log(`  plain loop    median ${at(theirs, 0.5)}  p99 ${at(theirs, 0.99)}`)
}

function plainSearch(all: number[][], one: number[], limit: number): number[] {
  const found: number[] = []
  for (const [index, other] of all.entries()) {
    let sum = 0
    for (let i = 0; i < one.length; i++) sum += (one[i]! - other[i]!) ** 2
    if (Math.sqrt(sum) <= limit) found.push(index)
  }
  return found
}

function timed<T>(times: number[], work: () => T): T {
  const start = performance.now()
  const result = work()
  times.push(performance.now() - start)
  return result
}

function at(times: number[], part: number): string {
  const sorted = times.toSorted((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))]!.toFixed(1).padStart(6)
}

/** A normally distributed number with deviation 1 (Box–Muller). */
function normal(): number {
  return Math.sqrt(-2 * Math.log(1 - Math.random())) * Math.cos(2 * Math.PI * Math.random())
}

if (import.meta.main) await benchSearchFaces()
