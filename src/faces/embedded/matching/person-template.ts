import { DESCRIPTOR_LENGTH } from '../descriptors.ts'
import type { QueryFace } from './find-person.ts'

const NUMBERS = 1 + DESCRIPTOR_LENGTH

/** What a person can be searched by again, in bytes: the strictness and the descriptor of each picture. When the
 *  networks that describe faces change, such bytes cannot be used any more. Then search tokens need another purpose. */
export function packTemplate(faces: readonly QueryFace[]): Buffer {
  const numbers = new Float32Array(faces.length * NUMBERS)
  for (const [index, { strictness, descriptor }] of faces.entries()) {
    numbers[index * NUMBERS] = strictness
    numbers.set(descriptor, index * NUMBERS + 1)
  }
  return Buffer.from(numbers.buffer)
}

/** @param template as packTemplate gave it */
export function unpackTemplate(template: Buffer): QueryFace[] {
  // The bytes of a Buffer may begin anywhere, and those of a Float32Array may not.
  const numbers = new Float32Array(new Uint8Array(template).buffer)
  return Array.from({ length: numbers.length / NUMBERS }, (_, index) => {
    const at = index * NUMBERS
    return { strictness: numbers[at]!, descriptor: numbers.slice(at + 1, at + NUMBERS) }
  })
}
