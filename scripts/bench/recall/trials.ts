import { distanceOf } from '../../../src/faces/embedded/matching/query-embedding.ts'
import type { Share } from './intervals.ts'

export interface Face {
  /** The picture's name. */
  photoId: string
  descriptor: Float32Array
}

/** A picture with at least one face. Its folder says who the person is. */
export interface Picture<F extends Face = Face> {
  person: string
  /** person/file */
  name: string
  /** The largest first: a search by the picture uses that one. */
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

/** The names of the pictures that a search by the largest face of one picture shows. */
export type Search<F extends Face> = (
  selfie: Picture<F>,
  album: readonly F[],
) => ReadonlySet<string> | Promise<ReadonlySet<string>>

/** Each picture is the selfie once, and all others are the album.
 *  @returns one tally for each person */
export async function tallyOf<F extends Face>(
  pictures: readonly Picture<F>[],
  search: Search<F>,
): Promise<Tally[]> {
  const tallies = new Map<string, Tally>()
  for (const selfie of pictures) {
    const { person } = selfie
    const album = pictures.filter((picture) => picture !== selfie)
    const shown = await search(
      selfie,
      album.flatMap(({ faces }) => faces),
    )
    const tally = tallies.get(person) ?? { person, found: { hits: 0, of: 0 }, wrong: { hits: 0, of: 0 } }
    tallies.set(person, tally)
    for (const picture of album) {
      const share = picture.person === person ? tally.found : tally.wrong
      share.of++
      if (shown.has(picture.name)) share.hits++
    }
  }
  return [...tallies.values()]
}

/** Shows the pictures that have a face within this distance of the selfie. */
export function searchWithin(limit: number): Search<Face> {
  return (selfie, album) =>
    new Set(
      album
        .filter(({ descriptor }) => distanceOf(selfie.faces[0]!.descriptor, descriptor) <= limit)
        .map(({ photoId }) => photoId),
    )
}

export interface Strangers {
  /** The names of the pictures. */
  selfie: string
  photo: string
  distance: number
}

/** The closest pictures of each pair of people, the closest first. */
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
        closest.set(people, { selfie: selfie.name, photo: photo.name, distance })
    }
  return [...closest.values()].sort((one, other) => one.distance - other.distance).slice(0, most)
}
