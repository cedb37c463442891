import type { Metadata } from 'sharp'

/** Pixels of the shorter side: the least that Amazon Rekognition takes ("Guidelines and quotas in Amazon
 *  Rekognition" of the Developer Guide). */
export const MIN_SIDE = 80

/** Whether a face engine in the cloud can read a JPEG or PNG with this header in its stored form, if the size in bytes
 *  allows it: upright, and of a type that it knows. Amazon's documentation does not mention CMYK
 *  and 16 bits, so such pictures are converted first. */
export function isTakenAsStored({ width, height, orientation = 1, space, depth }: Metadata): boolean {
  return (
    Math.min(width, height) >= MIN_SIDE &&
    orientation === 1 &&
    depth === 'uchar' &&
    (space === 'srgb' || space === 'b-w')
  )
}
