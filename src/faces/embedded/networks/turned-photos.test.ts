import sharp from 'sharp'
import { expect, test } from 'vitest'
import { countingNetworks, loadNetworks } from '../../../testing/networks.ts'
import { cropFace, samplePhotos } from '../../../testing/sample-photos.ts'
import type { BoundingBox } from '../../face-index.ts'
import { PREVIEW_SIDE } from '../../preview.ts'
import { distanceOf } from '../matching/query-embedding.ts'
import { detectFaces } from './detect-faces.ts'
import { createFaceEngine, type DescribedFace } from './engine.ts'
import { readPixels } from './pixels.ts'

const networks = await loadNetworks()
const facesOf = async (image: Buffer) => (await createFaceEngine(networks).describePhoto(image)).faces
/** The faces of each of the six event photos. */
const upright: DescribedFace[][] = []
for (const photo of samplePhotos()) upright.push(await facesOf(photo))

test.each([
  [90, ({ left, top, width, height }: BoundingBox) => [1 - top - height, left, height, width]],
  [180, ({ left, top, width, height }: BoundingBox) => [1 - left - width, 1 - top - height, width, height]],
  [270, ({ left, top, width, height }: BoundingBox) => [top, 1 - left - width, height, width]],
])(
  'in photos that lie at %i°, at least 20 of the 22 people are found, where they are',
  async (turn, lying) => {
    let same = 0
    for (const [index, photo] of samplePhotos().entries()) {
      const found = await facesOf(await sharp(photo).rotate(turn).jpeg({ quality: 90 }).toBuffer())
      for (const face of upright[index]!) {
        const match = found.find((other) => distanceOf(face.descriptor, other.descriptor) < 0.5)
        if (!match) continue
        same++
        const { left, top, width, height } = match.box
        const expected = lying(face.box)
        for (const [edge, value] of [left, top, width, height].entries())
          expect(Math.abs(value - expected[edge]!)).toBeLessThan(0.06)
        expect(Math.cos(((match.quality.roll! - face.quality.roll! - turn) * Math.PI) / 180)).toBeGreaterThan(
          0.95,
        )
      }
    }
    expect(same).toBeGreaterThanOrEqual(20)
  },
)

test('somebody who is upside down beside an upright person is found, and so is that person', async () => {
  const photo = samplePhotos()[0]!
  const [one, other] = upright[0]!
  const portrait = async (face: DescribedFace, turn: number) =>
    sharp(
      await sharp(await cropFace(photo, face.box, 2))
        .resize(600, 600, { fit: 'fill' })
        .toBuffer(),
    )
      .rotate(turn)
      .toBuffer()
  const both = await sharp({ create: { width: 1200, height: 600, channels: 3, background: '#888' } })
    .composite([
      { input: await portrait(one!, 0), left: 0, top: 0 },
      { input: await portrait(other!, 180), left: 600, top: 0 },
    ])
    .png()
    .toBuffer()
  const found = await facesOf(both)
  expect(found).toHaveLength(2)
  for (const person of [one!, other!])
    expect(found.filter((face) => distanceOf(face.descriptor, person.descriptor) < 0.5)).toHaveLength(1)
})

test('photos of upright people are looked at once', async () => {
  const counting = countingNetworks(networks)
  const engine = createFaceEngine(counting.networks)
  for (const photo of samplePhotos()) await engine.describePhoto(photo)
  // Of 22 faces one, which is seen from the side, is tried in other positions.
  expect(counting.counts).toEqual({
    detectFaces: 6,
    detectSmallFaces: 0,
    findLandmarks: 14,
    describeFaces: 6,
  })
})

test('only those parts of a photo are looked at again in which small faces may be', async () => {
  const background = { width: PREVIEW_SIDE, height: 1365, channels: 3, background: '#9bc' } as const
  const people = await sharp(samplePhotos()[4]!).resize(300).toBuffer()
  const image = sharp({ create: background }).composite([{ input: people, left: 1500, top: 900 }])
  const { networks: counted, counts } = countingNetworks(networks)
  const pixels = await readPixels(await image.jpeg().toBuffer(), PREVIEW_SIDE)
  expect(await detectFaces(counted, pixels)).toHaveLength(5)
  expect(counts.detectSmallFaces).toBeGreaterThan(0)
  expect(counts.detectSmallFaces).toBeLessThanOrEqual(4)
})
