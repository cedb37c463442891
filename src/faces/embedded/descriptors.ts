export const DESCRIPTOR_LENGTH = 128

/** A number of a descriptor is kept as so many times itself, rounded to −128 … 127. So it reaches from −0.5 to 0.5. In
 *  the 80 pictures of 14 people of docs/matching.md, a few are beyond, up to 0.54. Searches there, each picture being the
 *  selfie once, found exactly what they find with 32-bit numbers: the same sure and the same possible photos. */
export const STEPS = 256

/** A descriptor as it is stored, in a byte for each number. */
export function bytesOf(descriptor: Float32Array): Buffer {
  const codes = Int8Array.from(descriptor, (value) =>
    Math.min(127, Math.max(-128, Math.round(value * STEPS))),
  )
  return Buffer.from(codes.buffer)
}

/** @param bytes as bytesOf gave them */
export function descriptorOf(bytes: Uint8Array): Float32Array {
  return Float32Array.from(new Int8Array(bytes), (code) => code / STEPS)
}
