import type { FaceMatch } from '../face-index.ts'
import type { StoredFace } from './descriptor-store.ts'
import { distanceOfSimilarity, similarityOfDistance } from './similarity.ts'

export const DESCRIPTOR_LENGTH = 128

/** Faces in memory, compared one by one. That is exact, and takes 5 ms for 50,000. */
export interface FaceSet {
  readonly size: number
  add(faces: StoredFace[]): void
  /** The faces at or above `threshold` (0–100), best first. */
  match(descriptor: Float32Array, threshold: number): FaceMatch[]
}

export function createFaceSet(): FaceSet {
  const faceIds: string[] = []
  const photoIds: string[] = []
  let descriptors = new Float32Array(0)

  function makeRoomFor(count: number): void {
    if (count * DESCRIPTOR_LENGTH <= descriptors.length) return
    const larger = new Float32Array(Math.max(count, Math.ceil(faceIds.length * 1.5)) * DESCRIPTOR_LENGTH)
    larger.set(descriptors.subarray(0, faceIds.length * DESCRIPTOR_LENGTH))
    descriptors = larger
  }

  return {
    get size() {
      return faceIds.length
    },

    add(faces) {
      makeRoomFor(faceIds.length + faces.length)
      for (const { faceId, photoId, descriptor } of faces) {
        descriptors.set(descriptor, faceIds.length * DESCRIPTOR_LENGTH)
        faceIds.push(faceId)
        photoIds.push(photoId)
      }
    },

    match(descriptor, threshold) {
      // Slightly more than the limit, because converting to a distance and back rounds. The similarity decides.
      const limit = distanceOfSimilarity(threshold) ** 2 * (1 + 1e-9)
      const matches: FaceMatch[] = []
      for (let face = 0; face < faceIds.length; face++) {
        const squared = squaredDistance(descriptors, face * DESCRIPTOR_LENGTH, descriptor, limit)
        if (squared > limit) continue
        const similarity = similarityOfDistance(Math.sqrt(squared))
        if (similarity >= threshold)
          matches.push({ faceId: faceIds[face]!, photoId: photoIds[face]!, similarity })
      }
      return matches.sort((one, other) => other.similarity - one.similarity)
    },
  }
}

/** The squared Euclidean distance, or some number above `limit` as soon as the sum exceeds it. A sum
 *  of squares never falls again, so leaving early changes no result. */
function squaredDistance(all: Float32Array, start: number, one: Float32Array, limit: number): number {
  let sum = 0
  for (let i = 0; i < DESCRIPTOR_LENGTH && sum <= limit; i += 16) {
    const at = start + i
    const a = all[at]! - one[i]!
    const b = all[at + 1]! - one[i + 1]!
    const c = all[at + 2]! - one[i + 2]!
    const d = all[at + 3]! - one[i + 3]!
    const e = all[at + 4]! - one[i + 4]!
    const f = all[at + 5]! - one[i + 5]!
    const g = all[at + 6]! - one[i + 6]!
    const h = all[at + 7]! - one[i + 7]!
    const j = all[at + 8]! - one[i + 8]!
    const k = all[at + 9]! - one[i + 9]!
    const l = all[at + 10]! - one[i + 10]!
    const m = all[at + 11]! - one[i + 11]!
    const n = all[at + 12]! - one[i + 12]!
    const o = all[at + 13]! - one[i + 13]!
    const p = all[at + 14]! - one[i + 14]!
    const q = all[at + 15]! - one[i + 15]!
    sum += a * a + b * b + c * c + d * d + (e * e + f * f + g * g + h * h)
    sum += j * j + k * k + l * l + m * m + (n * n + o * o + p * p + q * q)
  }
  return sum
}
