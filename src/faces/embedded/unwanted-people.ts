import type { FaceQuality } from '../face-index.ts'
import { DESCRIPTOR_LENGTH } from './descriptor-store.ts'
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

/** Says of a face whether it is surely of one of these people.
 *  @param people as personAsBytes gave them; others are ignored
 *  @param limits of the album, so that those are recognised whom a search would show as sure */
export function recogniserOf(
  people: Buffer[],
  limits: MatchLimits,
): (face: { descriptor: Float32Array; quality: FaceQuality }) => boolean {
  const known = people.flatMap((person) => readPerson(person) ?? [])
  return ({ descriptor, quality }) =>
    known.some(
      (template) =>
        distanceOf(descriptor, template.centre) <= sureLimit(template, limits) - strictnessOf(quality),
    )
}

function readPerson(bytes: Buffer): Template | undefined {
  if (bytes.length !== PERSON_BYTES || bytes[0] !== VERSION) return undefined
  // A copy, because a Float32Array needs an offset that is a multiple of four.
  const numbers = new Float32Array(new Uint8Array(bytes.subarray(1)).buffer)
  return { centre: numbers.subarray(0, DESCRIPTOR_LENGTH), spread: numbers[DESCRIPTOR_LENGTH]! }
}
