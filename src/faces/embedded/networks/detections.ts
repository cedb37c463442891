import { GRID_ANCHORS } from './anchors.ts'

/** A face that was detected. Its edges may be outside the picture. */
export interface Box {
  left: number
  top: number
  right: number
  bottom: number
  /** 0–1. */
  score: number
}

/** What the detector gives for one grid: see `detectorGraph`. */
export interface GridOutput {
  rows: number
  columns: number
  scores: Float32Array
  boxes: Float32Array
}

/** The network gives a tenth of these numbers for a box's centre and a fifth for its size (face-api's outputLayer). */
const CENTRE_SCALE = 10
const SIZE_SCALE = 5

/** The boxes of one grid whose score is above `minScore`. */
export function boxesOf(grid: number, { rows, columns, scores, boxes }: GridOutput, minScore: number): Box[] {
  const { step, anchors } = GRID_ANCHORS[grid]!
  const cells = rows * columns
  // Before the sigmoid.
  const minimum = Math.log(minScore / (1 - minScore))
  const found: Box[] = []
  for (const [index, { width, height }] of anchors.entries())
    for (let cell = 0; cell < cells; cell++) {
      const score = scores[index * cells + cell]!
      if (score <= minimum) continue
      const [down, across, tall, wide] = [0, 1, 2, 3].map((part) => boxes[(4 * index + part) * cells + cell]!)
      const x = ((cell % columns) + 0.5) * step + (across! / CENTRE_SCALE) * width
      const y = (Math.floor(cell / columns) + 0.5) * step + (down! / CENTRE_SCALE) * height
      const halfWidth = (Math.exp(wide! / SIZE_SCALE) * width) / 2
      const halfHeight = (Math.exp(tall! / SIZE_SCALE) * height) / 2
      found.push({
        left: x - halfWidth,
        top: y - halfHeight,
        right: x + halfWidth,
        bottom: y + halfHeight,
        score: 1 / (1 + Math.exp(-score)),
      })
    }
  return found
}

/** Two boxes are one face when their common area is more than this part of the smaller box. face-api compares it with
 *  the area of both together. Then a small box inside a large one would be a second face. */
const SAME_FACE_PART = 0.5

/** One box for each face, the best first: non-maximum suppression. */
export function withoutRepeats<Found extends Box>(boxes: readonly Found[]): Found[] {
  const kept: Found[] = []
  for (const box of boxes.toSorted((one, other) => other.score - one.score))
    if (kept.every((better) => commonPart(better, box) <= SAME_FACE_PART)) kept.push(box)
  return kept
}

/** The common area of two boxes by the area of the smaller one. */
function commonPart(one: Box, other: Box): number {
  const width = Math.min(one.right, other.right) - Math.max(one.left, other.left)
  const height = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top)
  if (width <= 0 || height <= 0) return 0
  return (width * height) / Math.min(areaOf(one), areaOf(other))
}

/** The same box where its edges are somewhere else. */
export function mapEdges<Found extends Box>(
  box: Found,
  x: (value: number) => number,
  y: (value: number) => number,
): Found {
  return { ...box, left: x(box.left), top: y(box.top), right: x(box.right), bottom: y(box.bottom) }
}

export const areaOf = ({ left, top, right, bottom }: Box) => (right - left) * (bottom - top)

/** The longer side of a box. */
export const sideOf = ({ left, top, right, bottom }: Box) => Math.max(right - left, bottom - top)
