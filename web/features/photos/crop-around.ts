import type { PossiblePhoto } from '../../../src/contract/search.ts'

/** Where a face is, in fractions of the upright picture. */
export type FaceBox = PossiblePhoto['face']['box']

/** How much larger than the face the part is that is shown. */
const AROUND = 1.7

/** Where a photo has to be in a frame that shows only a face and what is around it. The frame is always full.
 *  @param photoShape the photo's width divided by its height
 *  @param frameShape the frame's width divided by its height
 *  @returns percentages: the photo's width and `left` of the frame's width, `top` of the frame's height */
export function cropAround(
  { left, top, width, height }: FaceBox,
  photoShape: number,
  frameShape: number,
): { width: string; left: string; top: string } {
  // Lengths are in photo heights.
  const wanted = AROUND * Math.max(width * photoShape, height * frameShape)
  const shownWidth = Math.min(wanted, photoShape, frameShape)
  const shownHeight = shownWidth / frameShape
  const from = start((left + width / 2) * photoShape, shownWidth, photoShape)
  const down = start(top + height / 2, shownHeight, 1)
  return {
    width: percent(photoShape / shownWidth),
    left: percent(-from / shownWidth),
    top: percent(-down / shownHeight),
  }
}

/** The start of a part that has this middle, moved so that it lies inside the whole. */
function start(middle: number, part: number, whole: number): number {
  return Math.min(Math.max(middle - part / 2, 0), whole - part)
}

const percent = (fraction: number) => `${Number((fraction * 100).toFixed(2))}%`
