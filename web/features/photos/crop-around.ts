import type { PossiblePhoto } from '../../../src/contract/search.ts'

/** Where a face is, in fractions of the upright picture. */
type FaceBox = PossiblePhoto['face']['box']

/** How much larger than the face the part is that is shown. */
const AROUND = 1.7

/** Where a photo has to be in a square frame that shows only a face and what is around it. The frame is always full.
 *  @returns percentages of the frame's side */
export function cropAround({ left, top, width, height }: FaceBox, photo: { width: number; height: number }) {
  const shape = photo.width / photo.height
  // Lengths are in photo heights.
  const side = Math.min(AROUND * Math.max(width * shape, height), shape, 1)
  const from = start((left + width / 2) * shape, side, shape)
  const down = start(top + height / 2, side, 1)
  return { width: percent(shape / side), left: percent(-from / side), top: percent(-down / side) }
}

/** The start of a part that has this middle, moved so that it lies inside the whole. */
function start(middle: number, part: number, whole: number): number {
  return Math.min(Math.max(middle - part / 2, 0), whole - part)
}

const percent = (fraction: number) => `${Number((fraction * 100).toFixed(2))}%`
