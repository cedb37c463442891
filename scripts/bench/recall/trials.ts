import type { Share } from './intervals.ts'

export interface Face {
  descriptor: Float32Array
}

/** A picture with at least one face. Its folder says who the person is. */
export interface Picture<F extends Face = Face> {
  person: string
  file: string
  /** The largest first. That is the one which a selfie is searched by. */
  faces: F[]
}

/** What the selfies of one person found. */
export interface Tally {
  person: string
  /** Of the other pictures of the person. */
  found: Share
  /** Of the pictures of other people. */
  wrong: Share
}

/** The pictures of the album that a search shows. */
export type Search<F extends Face> = (selfie: F, album: readonly Picture<F>[]) => ReadonlySet<Picture<F>>

/** Each picture is the selfie once, and all others are the album.
 *  @returns one tally for each person */
export function tallyOf<F extends Face>(pictures: readonly Picture<F>[], search: Search<F>): Tally[] {
  const tallies = new Map<string, Tally>()
  for (const selfie of pictures) {
    const { person } = selfie
    const album = pictures.filter((picture) => picture !== selfie)
    const shown = search(selfie.faces[0]!, album)
    const tally = tallies.get(person) ?? { person, found: { hits: 0, of: 0 }, wrong: { hits: 0, of: 0 } }
    tallies.set(person, tally)
    for (const picture of album) {
      const share = picture.person === person ? tally.found : tally.wrong
      share.of++
      if (shown.has(picture)) share.hits++
    }
  }
  return [...tallies.values()]
}

/** Shows the pictures that have a face within this distance of the selfie. */
export function searchWithin<F extends Face>(limit: number): Search<F> {
  return (selfie, album) =>
    new Set(
      album.filter(({ faces }) =>
        faces.some(({ descriptor }) => distanceOf(selfie.descriptor, descriptor) <= limit),
      ),
    )
}

export interface Strangers {
  /** person/file */
  selfie: string
  photo: string
  distance: number
}

/** The closest pictures of two people, one pair for each two people, the closest first. */
export function closestStrangers(pictures: readonly Picture[], most: number): Strangers[] {
  const closest = new Map<string, Strangers>()
  for (const selfie of pictures)
    for (const photo of pictures) {
      if (photo.person === selfie.person) continue
      const people = JSON.stringify([selfie.person, photo.person].sort())
      const distance = Math.min(
        ...photo.faces.map(({ descriptor }) => distanceOf(selfie.faces[0]!.descriptor, descriptor)),
      )
      if (distance < (closest.get(people)?.distance ?? Number.POSITIVE_INFINITY))
        closest.set(people, { selfie: nameOf(selfie), photo: nameOf(photo), distance })
    }
  return [...closest.values()].sort((one, other) => one.distance - other.distance).slice(0, most)
}

function nameOf({ person, file }: Picture): string {
  return `${person}/${file}`
}

/** The Euclidean distance of two descriptors. */
export function distanceOf(one: Float32Array, other: Float32Array): number {
  let sum = 0
  for (let i = 0; i < one.length; i++) sum += (one[i]! - other[i]!) ** 2
  return Math.sqrt(sum)
}
