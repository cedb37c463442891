import { DESCRIPTOR_LENGTH } from '../../src/faces/embedded/descriptors.ts'

/** The similarity that a bench searches with. */
export const THRESHOLD = 80

/** The distance between strangers (see similarity.ts). It decides how early a comparison can stop. */
const STRANGERS_APART = 0.75
const DEVIATION = STRANGERS_APART / Math.sqrt(2 * DESCRIPTOR_LENGTH)

/** Descriptors of this many strangers.
 *  @param known the descriptor of a real face, which becomes one more stranger */
export function strangers(count: number, known?: Float32Array): Float32Array[] {
  const centre = known
    ? Array.from(known, (value) => value - normal() * DEVIATION)
    : Array.from({ length: DESCRIPTOR_LENGTH }, () => normal() / Math.sqrt(DESCRIPTOR_LENGTH))
  return Array.from({ length: count }, () =>
    Float32Array.from(centre, (value) => value + normal() * DEVIATION),
  )
}

/** The same person in another photo: a quarter of the distance to a stranger. */
export function anotherPhotoOf(face: Float32Array): Float32Array {
  return face.map((value) => value + (normal() * DEVIATION) / 4)
}

/** A normally distributed number with deviation 1 (Box–Muller). */
function normal(): number {
  return Math.sqrt(-2 * Math.log(1 - Math.random())) * Math.cos(2 * Math.PI * Math.random())
}
