import { createFaceSet, DESCRIPTOR_LENGTH } from '../../src/faces/embedded/matcher.ts'
import { distanceOfSimilarity } from '../../src/faces/embedded/similarity.ts'

const FACES = 50_000
const SEARCHES = 300
const PLAIN_SEARCHES = 60
const THRESHOLD = 80

/** Real strangers are about 0.75 apart (see similarity.ts), and how soon a comparison can stop depends on it. */
const STRANGERS_APART = 0.75

/** Milliseconds to find one face among 50,000 already in memory, beside the loop that anyone writes first:
 *  arrays of numbers, every distance taken whole. Both run in turn and must find the same faces. */
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
    // A quarter of the way to a stranger: the same person, photographed again.
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

/** Normally distributed with deviation 1 (Box–Muller). */
function normal(): number {
  return Math.sqrt(-2 * Math.log(1 - Math.random())) * Math.cos(2 * Math.PI * Math.random())
}

if (import.meta.main) await benchSearchFaces()
