import { DESCRIPTOR_LENGTH } from '../descriptors.ts'

/** A picture that is searched by. */
export interface QueryFace {
  descriptor: Float32Array
  /** See strictnessOf in face-trust.ts. */
  strictness: number
}

/** What several pictures of one person have in common. */
export interface QueryEmbedding {
  /** The average of their descriptors. */
  centre: Float32Array
  /** The mean of their squared distances from it. */
  spread: number
}

export function embeddingOf(descriptors: readonly Float32Array[]): QueryEmbedding {
  const centre = new Float32Array(descriptors[0]!.length)
  for (const descriptor of descriptors)
    for (let i = 0; i < centre.length; i++) centre[i]! += descriptor[i]! / descriptors.length
  const squares = descriptors.reduce((sum, descriptor) => sum + distanceOf(centre, descriptor) ** 2, 0)
  return { centre, spread: squares / descriptors.length }
}

/** The Euclidean distance of two descriptors. */
export function distanceOf(one: Float32Array, other: Float32Array): number {
  let sum = 0
  for (let i = 0; i < one.length; i++) sum += (one[i]! - other[i]!) ** 2
  return Math.sqrt(sum)
}

const NUMBERS = 1 + DESCRIPTOR_LENGTH

/** What a person can be searched by again, in bytes: the strictness and the descriptor of each picture. When the
 *  networks that describe faces change, such bytes cannot be used any more. Then search tokens need another purpose. */
export function packQuery(faces: readonly QueryFace[]): Buffer {
  const numbers = faces.flatMap(({ strictness, descriptor }) => [strictness, ...descriptor])
  return Buffer.from(Float32Array.from(numbers).buffer)
}

/** @param packed as packQuery gave it */
export function unpackQuery(packed: Buffer): QueryFace[] {
  const numbers = floatsOf(packed)
  return Array.from({ length: numbers.length / NUMBERS }, (_, index) => {
    const [strictness, ...descriptor] = numbers.subarray(index * NUMBERS, (index + 1) * NUMBERS)
    return { strictness: strictness!, descriptor: Float32Array.from(descriptor) }
  })
}

/** The numbers in these bytes. A Buffer may begin anywhere, and a Float32Array may not, so they are copied. */
export const floatsOf = (bytes: Uint8Array): Float32Array => new Float32Array(new Uint8Array(bytes).buffer)
