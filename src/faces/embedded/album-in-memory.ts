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

/** Adds the faces of an album that are within a distance of any of these descriptors to another one. */
export function copyNear(
  album: AlbumInMemory,
  to: AlbumInMemory,
  descriptors: readonly Float32Array[],
  distance: number,
): void {
  const places = placesNear(album, descriptors, distance)
  grow(to, to.count + places.length)
  for (const place of places) {
    const at = place * DESCRIPTOR_LENGTH
    to.vectors.set(album.vectors.subarray(at, at + DESCRIPTOR_LENGTH), to.count * DESCRIPTOR_LENGTH)
    to.numbers[to.count++] = album.numbers[place]!
  }
}

/** The numbers of the faces within a distance of any of these descriptors. */
export function numbersNear(
  album: AlbumInMemory,
  descriptors: readonly Float32Array[],
  distance: number,
): number[] {
  return placesNear(album, descriptors, distance).map((place) => album.numbers[place]!)
}

function placesNear(album: AlbumInMemory, descriptors: readonly Float32Array[], distance: number): number[] {
  const probes = descriptors.map((descriptor) => descriptor.map((value) => value * STEPS))
  const places: number[] = []
  for (let place = 0; place < album.count; place++)
    if (isNear(album, place, probes, distance)) places.push(place)
  return places
}

function isNear(
  { vectors }: AlbumInMemory,
  place: number,
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
        const difference = vectors[place * DESCRIPTOR_LENGTH + i]! - probe[i]!
        sum += difference * difference
      }
    }
    if (sum <= most) return true
  }
  return false
}
