const ANCHORS: readonly (readonly [distance: number, similarity: number])[] = [
  [0, 100],
  [0.3, 99],
  [0.5, 80],
  [0.63, 40],
  [0.8, 5],
  [1.4, 0],
]

/** Rekognition's scale, 0–100, for a Euclidean distance of two descriptors. */
export function similarityOfDistance(distance: number): number {
  return interpolate(ANCHORS, distance)
}

/** The greatest distance that still has this similarity; infinite for 0, which everyone has. */
export function distanceOfSimilarity(similarity: number): number {
  if (similarity <= 0) return Number.POSITIVE_INFINITY
  return interpolate(ANCHORS.map(([distance, value]) => [value, distance] as const).reverse(), similarity)
}

function interpolate(points: readonly (readonly [number, number])[], x: number): number {
  const upper = points.findIndex(([at]) => at >= x)
  if (upper === -1) return points.at(-1)![1]
  if (upper === 0) return points[0]![1]
  const [x0, y0] = points[upper - 1]!
  const [x1, y1] = points[upper]!
  return y0 + ((x - x0) / (x1 - x0)) * (y1 - y0)
}
