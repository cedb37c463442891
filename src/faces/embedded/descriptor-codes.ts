import { DESCRIPTOR_LENGTH } from './descriptor-store.ts'

/** A code is the number times this, rounded to −128 … 127, so that codes reach from −0.5 to 0.5. In the 22 faces of the
 *  sample photos no number is further from 0 than 0.48, and the descriptors are 0.012 to 0.014 away from what their
 *  codes stand for. A number beyond 0.5 only makes that more. */
export const CODES_IN_ONE = 256

/** Writes the codes of a descriptor.
 *  @returns how far it is from what its codes stand for, in codes and rounded up. Infinite for NaN, so that nothing is
 *    concluded from their codes */
export function encode(descriptors: Float32Array, from: number, codes: Int8Array, to: number): number {
  let squared = 0
  for (let i = 0; i < DESCRIPTOR_LENGTH; i++) {
    const exact = descriptors[from + i]! * CODES_IN_ONE
    // Math.round, Math.min and Math.max take five times as long. A huge number gets any code, and its error shows it.
    let code = (exact + 128.5) | 0
    if (code < 0) code = 0
    else if (code > 255) code = 255
    codes[to + i] = code - 128
    const error = exact - (code - 128)
    squared += error * error
  }
  return squared >= 0 ? Math.fround(Math.sqrt(squared) * (1 + 1e-6)) : Number.POSITIVE_INFINITY
}
