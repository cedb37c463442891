import type { FaceQuality } from '../../face-index.ts'
import { DESCRIPTOR_LENGTH } from '../descriptors.ts'
import { strictnessOf } from './face-trust.ts'
import { sureLimit } from './find-person.ts'
import type { MatchLimits } from './match-limits.ts'
import { distanceOf, embeddingOf, floatsOf, type QueryEmbedding } from './query-embedding.ts'

/** Says how the rest is written. */
const VERSION = 1
const PERSON_BYTES = 1 + (DESCRIPTOR_LENGTH + 1) * Float32Array.BYTES_PER_ELEMENT

/** A person as bytes: the version, and the embedding as little-endian 32-bit floats. */
export function personAsBytes(descriptors: readonly Float32Array[]): Buffer {
  const { centre, spread } = embeddingOf(descriptors)
  return Buffer.concat([Buffer.of(VERSION), Buffer.from(Float32Array.of(...centre, spread).buffer)])
}

/** Finds the faces of a photo that are surely of these people. A person is in a photo once, so it finds only the closest
 *  one of each.
 *  @param people as personAsBytes gave them; others are ignored
 *  @param limits of the album, so that those are recognised whom a search would show as sure
 *  @returns the person of each such face, as a place in `people` */
export function recognise<Face extends { descriptor: Float32Array; quality: FaceQuality }>(
  faces: readonly Face[],
  people: Buffer[],
  limits: MatchLimits,
): Map<Face, number> {
  const personOf = new Map<Face, number>()
  for (const [person, bytes] of people.entries()) {
    const embedding = readPerson(bytes)
    if (!embedding) continue
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

function readPerson(bytes: Buffer): QueryEmbedding | undefined {
  if (bytes.length !== PERSON_BYTES || bytes[0] !== VERSION) return undefined
  const numbers = floatsOf(bytes.subarray(1))
  return { centre: numbers.subarray(0, DESCRIPTOR_LENGTH), spread: numbers[DESCRIPTOR_LENGTH]! }
}
