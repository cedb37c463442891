/** What a distance means on Rekognition's scale. Measured on 2026-11-20 on the 22 faces of the face-api package's six event
 *  photos, with this engine's own alignment:
 *
 *  | pairs | count | lowest | 5% | median | 95% | highest |
 *  |---|---|---|---|---|---|---|
 *  | same face re-shot (mirrored, turned, small, blurred …) | 228 | 0.021 | 0.036 | 0.125 | 0.347 | 0.468 |
 *  | different people | 226 | 0.573 | 0.615 | 0.754 | 0.888 | 0.936 |
 *  | different people, one side re-shot | 4,684 | 0.518 | 0.619 | 0.757 | 0.880 | 0.951 |
 *
 *  A similarity of 80, Rekognition's default threshold, is at a distance of 0.50, between the two groups. dlib, whose
 *  model this is, recommends 0.6. This is stricter, because a stranger's photo in the results is worse than a missed
 *  photo. */
const ANCHORS: readonly Point[] = [
  [0, 100],
  // 50%, 90% and 99% of the pairs of one face are closer.
  [0.125, 99.5],
  [0.3, 98],
  [0.45, 90],
  [0.5, 80],
  // 0%, 5% and 50% of the pairs of different people are closer.
  [0.57, 50],
  [0.62, 20],
  [0.75, 2],
  // Farther than any measured pair.
  [1.2, 0],
]
const BACKWARDS: readonly Point[] = ANCHORS.map(
  ([distance, similarity]) => [similarity, distance] as const,
).reverse()

type Point = readonly [from: number, to: number]

/** 0–100 for the Euclidean distance of two descriptors. */
export const similarityOfDistance = (distance: number) => interpolate(ANCHORS, distance)

/** The greatest distance that still has this similarity (0–100); infinite for 0, which any two faces have. */
export function distanceOfSimilarity(similarity: number): number {
  return similarity <= 0 ? Number.POSITIVE_INFINITY : interpolate(BACKWARDS, similarity)
}

function interpolate(points: readonly Point[], from: number): number {
  const next = points.findIndex(([at]) => at >= from)
  if (next === -1) return points.at(-1)![1]
  if (next === 0) return points[0]![1]
  const [x0, y0] = points[next - 1]!
  const [x1, y1] = points[next]!
  return y0 + ((from - x0) / (x1 - x0)) * (y1 - y0)
}
