import sharp from 'sharp'
import { type Detection, detectFaces } from '../faces/embedded/networks/detect-faces.ts'
import type { Networks } from '../faces/embedded/networks/networks.ts'
import { readPixels } from '../faces/embedded/networks/pixels.ts'
import { samplePhotos } from './sample-photos.ts'

/** A picture of many small faces, in known places. */
export interface Mosaic {
  image: Buffer
  /** In fractions of the picture. */
  places: Detection[]
}

const WIDTH = 3000
const HEIGHT = 2000

/** The six event photos in turn, `columns` × `columns` of them side by side. Their faces are where the detector sees them
 *  in the large photos.
 *  @param columns 4 to 10 give faces of 88 to 35 pixels */
export async function mosaicOf(networks: Networks, columns: number): Promise<Mosaic> {
  const [width, height] = [Math.floor(WIDTH / columns), Math.floor(HEIGHT / columns)]
  const photos = await Promise.all(
    samplePhotos().map(async (photo) => ({
      small: await sharp(photo).resize(width, height, { fit: 'fill' }).toBuffer(),
      faces: await detectFaces(networks, await readPixels(photo, WIDTH)),
    })),
  )
  const cells = Array.from({ length: columns ** 2 }, (_, cell) => ({
    ...photos[cell % photos.length]!,
    left: (cell % columns) * width,
    top: Math.floor(cell / columns) * height,
  }))
  const image = await sharp({ create: { width: WIDTH, height: HEIGHT, channels: 3, background: '#888' } })
    .composite(cells.map(({ small, left, top }) => ({ input: small, left, top })))
    .jpeg({ quality: 90 })
    .toBuffer()
  return {
    image,
    places: cells.flatMap(({ faces, left, top }) =>
      faces.map((face) => ({
        left: (left + face.left * width) / WIDTH,
        top: (top + face.top * height) / HEIGHT,
        right: (left + face.right * width) / WIDTH,
        bottom: (top + face.bottom * height) / HEIGHT,
        score: face.score,
      })),
    ),
  }
}

export interface Judgement {
  found: number
  /** Boxes beyond the first one of a face. */
  doubles: number
  /** Boxes that are not on a face. */
  falseBoxes: number
}

/** Compares boxes with the places of the faces. */
export function judge(places: readonly Detection[], boxes: readonly Detection[]): Judgement {
  const hits = places.map((place) => boxes.filter((box) => isOn(place, box)))
  return {
    found: hits.filter((on) => on.length > 0).length,
    doubles: hits.reduce((sum, on) => sum + Math.max(0, on.length - 1), 0),
    falseBoxes: boxes.length - new Set(hits.flat()).size,
  }
}

/** Whether a box is on a face: half of the smaller one is common, and a quarter of both together. */
function isOn(one: Detection, other: Detection): boolean {
  const width = Math.min(one.right, other.right) - Math.max(one.left, other.left)
  const height = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top)
  if (width <= 0 || height <= 0) return false
  const common = width * height
  const [first, second] = [one, other].map(
    ({ left, top, right, bottom }) => (right - left) * (bottom - top),
  ) as [number, number]
  return common > 0.5 * Math.min(first, second) && common > 0.25 * (first + second - common)
}
