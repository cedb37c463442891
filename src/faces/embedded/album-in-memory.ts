import { DESCRIPTOR_LENGTH, STEPS } from './descriptors.ts'

const NUMBER_BYTES = 8
export const BYTES_OF_FACE = DESCRIPTOR_LENGTH + NUMBER_BYTES

/** So many numbers are compared before it is looked whether the rest matters. */
const AT_ONCE = 16

/** The faces of an album, in two arrays with a place for each. */
export interface AlbumInMemory {
  count: number
  /** Descriptors, one after the other, in a byte for each number. */
  vectors: Int8Array<ArrayBuffer>
  /** `faces.number`, rising. */
  numbers: Float64Array<ArrayBuffer>
  /** The number of the last face that was read. */
  last: number
}

export const emptyAlbum = (): AlbumInMemory => ({
  count: 0,
  vectors: new Int8Array(),
  numbers: new Float64Array(),
  last: 0,
})

/** Makes space for so many faces. */
export function grow(album: AlbumInMemory, faces: number): void {
  if (faces <= album.numbers.length) return
  album.vectors = new Int8Array(album.vectors.buffer.transfer(faces * DESCRIPTOR_LENGTH))
  album.numbers = new Float64Array(album.numbers.buffer.transfer(faces * NUMBER_BYTES))
}

/** Gives the memory back at once. */
export function free(album: AlbumInMemory): void {
  album.vectors.buffer.transfer(0)
  album.numbers.buffer.transfer(0)
}

/** @param page as descriptorsAfter gave it */
export function append(album: AlbumInMemory, page: Buffer): void {
  for (let at = 0; at < page.length; at += BYTES_OF_FACE) {
    album.last = Number(page.readBigInt64BE(at))
    album.vectors.set(page.subarray(at + NUMBER_BYTES, at + BYTES_OF_FACE), album.count * DESCRIPTOR_LENGTH)
    album.numbers[album.count++] = album.last
  }
}

/** The numbers of the faces within a distance of any of these descriptors.
 *  @param among the numbers of the faces to compare; all by default */
export function facesNear(
  album: AlbumInMemory,
  descriptors: readonly Float32Array[],
  distance: number,
  among?: readonly number[],
): number[] {
  const probes = descriptors.map((descriptor) => descriptor.map((value) => value * STEPS))
  const places = among && placesOf(album, among)
  const faces = places?.length ?? album.count
  const found: number[] = []
  for (let i = 0; i < faces; i++) {
    const face = places?.[i] ?? i
    if (isNear(album, face, probes, distance)) found.push(album.numbers[face]!)
  }
  return found
}

/** Where those of these faces are that the album has. */
function placesOf({ numbers, count }: AlbumInMemory, wanted: readonly number[]): number[] {
  const all = numbers.subarray(0, count)
  return wanted.flatMap((number) => {
    const place = lowerBound(all, number)
    return all[place] === number ? place : []
  })
}

/** The place of the first number that is at least `wanted`. */
function lowerBound(sorted: Float64Array, wanted: number): number {
  let from = 0
  let to = sorted.length
  while (from < to) {
    const middle = (from + to) >>> 1
    if (sorted[middle]! < wanted) from = middle + 1
    else to = middle
  }
  return from
}

function isNear(
  { vectors }: AlbumInMemory,
  face: number,
  probes: readonly Float32Array[],
  distance: number,
): boolean {
  // Slightly more, because the square of a rounded number is not exact.
  const most = (distance * STEPS) ** 2 * (1 + 1e-9)
  for (const probe of probes) {
    let sum = 0
    for (let i = 0; i < DESCRIPTOR_LENGTH && sum <= most; ) {
      const end = i + AT_ONCE
      for (; i < end; i++) {
        const difference = vectors[face * DESCRIPTOR_LENGTH + i]! - probe[i]!
        sum += difference * difference
      }
    }
    if (sum <= most) return true
  }
  return false
}
