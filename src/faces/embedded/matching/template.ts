/** What several pictures of one person have in common. */
export interface Template {
  /** The average of their descriptors. */
  centre: Float32Array
  /** The mean of their squared distances from it. */
  spread: number
}

export function templateOf(descriptors: readonly Float32Array[]): Template {
  const centre = new Float32Array(descriptors[0]!.length)
  for (const descriptor of descriptors)
    for (let i = 0; i < centre.length; i++) centre[i]! += descriptor[i]! / descriptors.length
  const spread =
    descriptors.reduce((sum, descriptor) => sum + distanceOf(centre, descriptor) ** 2, 0) / descriptors.length
  return { centre, spread }
}

/** The Euclidean distance of two descriptors. */
export function distanceOf(one: Float32Array, other: Float32Array): number {
  let sum = 0
  for (let i = 0; i < one.length; i++) sum += (one[i]! - other[i]!) ** 2
  return Math.sqrt(sum)
}

/** So many numbers are compared before it is looked whether the rest matters. */
const AT_ONCE = 16

/** Whether the distance of two descriptors is below this. For most strangers, some of the numbers are enough to decide. */
export function areCloser(one: Float32Array, other: Float32Array, distance: number): boolean {
  // Slightly more, because the square of a rounded number is not exact.
  const most = distance ** 2 * (1 + 1e-9)
  let sum = 0
  for (let i = 0; i < one.length && sum <= most; ) {
    const end = Math.min(i + AT_ONCE, one.length)
    for (; i < end; i++) sum += (one[i]! - other[i]!) ** 2
  }
  return Math.sqrt(sum) < distance
}
