import { noFaceFound } from '../errors.ts'
import type { BoundingBox, FaceMatch, Selfie, SelfieFaces } from '../face-index.ts'
import type { Pictures } from '../pictures.ts'
import type { SimilarityLimits } from './find-person.ts'
import { type DetectedFace, OPTIONAL, type SearchCalls } from './search-calls.ts'
import { isAlone, seenInSelfie } from './selfie-faces.ts'
import { unlessBusy } from './service-faults.ts'

/** What a selfie finds. */
interface Searched {
  picture: Buffer
  /** The place of the face that the visitor has chosen. */
  chosen: number
  /** What it is similar to in each album that has a collection. */
  byAlbum: Map<string, FaceMatch[]>
  /** The box of the face that was searched by. */
  box: BoundingBox | undefined
  /** Undefined when the faces were not needed. */
  detected: DetectedFace[] | undefined
}

/** What the selfies of one person find. */
export interface SearchedSelfies {
  /** By album, for each selfie of the person. Has no entry for an album without a collection. */
  byAlbum: Map<string, FaceMatch[][]>
  /** What was seen in each. Detects the faces of those of which more should be known. */
  look(): Promise<SelfieFaces[]>
}

export function createSelfieSearch(service: SearchCalls, pictures: Pictures) {
  async function search(
    albumIds: string[],
    { image, face = 0 }: Selfie,
    limits: SimilarityLimits,
  ): Promise<Searched> {
    const picture = await pictures.upright(image, 'view')
    const detected = face > 0 ? await service.detectFaces(picture) : undefined
    const choice = detected?.[face]
    const region = choice ? around(choice.box) : WHOLE
    const part = choice ? await pictures.cropped(picture, region) : picture
    const byAlbum: Searched['byAlbum'] = new Map()
    let box: BoundingBox | undefined
    await Promise.all(
      albumIds.map(async (albumId) => {
        const seen = await service.likePicture(albumId, part, limits)
        if (seen === 'no collection') return
        byAlbum.set(albumId, seen?.matches ?? [])
        if (seen) box = within(region, seen.box)
      }),
    )
    return { picture, chosen: choice ? face : 0, byAlbum, box, detected }
  }

  /** Nothing is lost but advice, and the choice of a face, when the service is busy. */
  async function detectedIn(selfie: Searched, limits: SimilarityLimits): Promise<DetectedFace[] | undefined> {
    const { picture, box, detected } = selfie
    if (detected || !box || (isAlone(box) && hasFound(matchesOf(selfie), limits))) return detected
    return await service.detectFaces(picture, OPTIONAL).catch(unlessBusy)
  }

  /** @param earlier what other selfies of the same person have found before, by album. They come first, and say who the
   *    person is */
  return async (
    albumIds: string[],
    selfies: readonly Selfie[],
    limits: SimilarityLimits,
    earlier: Map<string, FaceMatch[][]> | undefined,
  ): Promise<SearchedSelfies> => {
    const searched = await Promise.all(selfies.map((selfie) => search(albumIds, selfie, limits)))
    const existing = earlier
      ? albumIds
      : albumIds.filter((albumId) => searched.some(({ byAlbum }) => byAlbum.has(albumId)))
    const first = searched.find(({ box }) => box)
    const isNobody = !first && searched.every(({ detected = [] }) => detected.length === 0)
    if (isNobody && !earlier && existing.length > 0) throw noFaceFound()
    const ofFirst = earlier ? [...earlier.values()].flat(2) : first ? matchesOf(first) : []
    const isSomebodyElse = (selfie: Searched) => areTwoPeople(ofFirst, matchesOf(selfie), limits)
    const ofPerson = searched.filter((selfie) => !isSomebodyElse(selfie))
    const inAlbum = (albumId: string) => [
      ...(earlier?.get(albumId) ?? []),
      ...ofPerson.map(({ byAlbum }) => byAlbum.get(albumId) ?? []),
    ]
    return {
      byAlbum: new Map(existing.map((albumId) => [albumId, inAlbum(albumId)])),
      look: () =>
        Promise.all(
          searched.map(async (selfie) => ({
            ...seenInSelfie(selfie.box, await detectedIn(selfie, limits), selfie.chosen),
            isSomebodyElse: isSomebodyElse(selfie),
          })),
        ),
    }
  }
}

const WHOLE: BoundingBox = { left: 0, top: 0, width: 1, height: 1 }

/** The region of a face with half of its size on each side. "The image should contain the full head … It should not be cropped to
 *  the face bounding box." In it, this face is usually larger than what is left of the others. If it is
 *  not, the answer says which one was searched by. */
function around({ left, top, width, height }: BoundingBox): BoundingBox {
  const [fromX, fromY] = [Math.max(0, left - width / 2), Math.max(0, top - height / 2)]
  const [toX, toY] = [Math.min(1, left + 1.5 * width), Math.min(1, top + 1.5 * height)]
  return { left: fromX, top: fromY, width: toX - fromX, height: toY - fromY }
}

/** The place in the whole picture of a box in one of its regions. */
function within(region: BoundingBox, { left, top, width, height }: BoundingBox): BoundingBox {
  return {
    left: region.left + left * region.width,
    top: region.top + top * region.height,
    width: width * region.width,
    height: height * region.height,
  }
}

/** Whether two selfies surely find faces, and have none of them in common, not even a possible one. Comparing the selfies with
 *  each other would take one more call (CompareFaces), so two people are not noticed when one of them is in no photo. */
function areTwoPeople(one: FaceMatch[], other: FaceMatch[], limits: SimilarityLimits): boolean {
  if (!hasFound(one, limits) || !hasFound(other, limits)) return false
  const found = new Set(one.map(({ faceId }) => faceId))
  return !other.some(({ faceId }) => found.has(faceId))
}

function hasFound(matches: FaceMatch[], { sure }: SimilarityLimits): boolean {
  return matches.some(({ similarity }) => similarity >= sure)
}

const matchesOf = ({ byAlbum }: Searched): FaceMatch[] => [...byAlbum.values()].flat()
