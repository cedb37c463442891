import type { FaceQuality } from '../../face-index.ts'
import { DESCRIPTOR_LENGTH } from '../descriptors.ts'
import { strictnessOf } from './face-trust.ts'
import { sureLimit } from './find-person.ts'
import type { MatchLimits } from './match-limits.ts'
import { distanceOf, type Template, templateOf } from './template.ts'

/** Says how the rest is written. */
const VERSION = 1
const PERSON_BYTES = 1 + (DESCRIPTOR_LENGTH + 1) * Float32Array.BYTES_PER_ELEMENT

/** A person as bytes: the version, and the template as little-endian 32-bit floats. */
export function personAsBytes(descriptors: Float32Array[]): Buffer {
  const { centre, spread } = templateOf(descriptors)
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
    const template = readPerson(bytes)
    if (!template) continue
    const [closest] = faces
      .map((face) => ({ face, distance: distanceOf(face.descriptor, template.centre) }))
      .filter(
        ({ face, distance }) =>
          !personOf.has(face) && distance <= sureLimit(template, limits) - strictnessOf(face.quality),
      )
      .sort((one, other) => one.distance - other.distance)
    if (closest) personOf.set(closest.face, person)
  }
  return personOf
}

function readPerson(bytes: Buffer): Template | undefined {
  if (bytes.length !== PERSON_BYTES || bytes[0] !== VERSION) return undefined
  // A copy, because a Float32Array needs an offset that is a multiple of four.
  const numbers = new Float32Array(new Uint8Array(bytes.subarray(1)).buffer)
  return { centre: numbers.subarray(0, DESCRIPTOR_LENGTH), spread: numbers[DESCRIPTOR_LENGTH]! }
}
