import type { FaceQuality } from '../../face-index.ts'
import { DESCRIPTOR_LENGTH } from '../descriptors.ts'
import { strictnessOf } from './face-trust.ts'
import { sureLimit } from './find-person.ts'
import type { MatchLimits } from './match-limits.ts'
import { distanceOf, embeddingOf, floatsOf, type QueryEmbedding } from './query-embedding.ts'

/** A person as bytes: the embedding as 32-bit floats. When the networks that describe faces change, they need a version. */
export function personAsBytes(descriptors: readonly Float32Array[]): Buffer {
  const { centre, spread } = embeddingOf(descriptors)
  return Buffer.from(Float32Array.of(...centre, spread).buffer)
}

/** Finds the faces of a photo that are surely of these people. A person is in a photo once, so it finds only the closest
 *  one of each.
 *  @param people as personAsBytes gave them
 *  @param limits of the album, so that those are recognised whom a search would show as sure
 *  @returns the person of each such face, as a place in `people` */
export function recognise<Face extends { descriptor: Float32Array; quality: FaceQuality }>(
  faces: readonly Face[],
  people: Buffer[],
  limits: MatchLimits,
): Map<Face, number> {
  const personOf = new Map<Face, number>()
  for (const [person, bytes] of people.entries()) {
    const embedding = embeddingIn(bytes)
    const [closest] = faces
      .map((face) => ({ face, distance: distanceOf(face.descriptor, embedding.centre) }))
      .filter(
        ({ face, distance }) =>
          !personOf.has(face) && distance <= sureLimit(embedding, limits) - strictnessOf(face.quality),
      )
      .sort((one, other) => one.distance - other.distance)
    if (closest) personOf.set(closest.face, person)
  }
  return personOf
}

function embeddingIn(bytes: Buffer): QueryEmbedding {
  const numbers = floatsOf(bytes)
  return { centre: numbers.subarray(0, DESCRIPTOR_LENGTH), spread: numbers[DESCRIPTOR_LENGTH]! }
}
