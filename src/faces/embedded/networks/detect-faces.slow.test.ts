import sharp from 'sharp'
import { expect, test } from 'vitest'
import { judge, mosaicOf } from '../../../testing/mosaic.ts'
import { loadNetworks } from '../../../testing/networks.ts'
import { samplePhotos } from '../../../testing/sample-photos.ts'
import { PREVIEW_SIDE } from '../../preview.ts'
import { type Detection, detectFaces } from './detect-faces.ts'
import { readPixels } from './pixels.ts'

const SIZE = PREVIEW_SIDE

const networks = await loadNetworks()

const facesOf = async (image: Buffer) => detectFaces(networks, await readPixels(image, SIZE))

test.for([
  [5, 1],
  [8, 0.93],
])(
  'in a mosaic with rows of %i photos, at least %d of all faces are found, each once',
  async ([columns, share]) => {
    const { image, places } = await mosaicOf(networks, columns!)
    const { found, doubles, falseBoxes } = judge(places, await facesOf(image))
    expect(found / places.length).toBeGreaterThanOrEqual(share!)
    expect(doubles).toBe(0)
    expect(falseBoxes / places.length).toBeLessThan(0.05)
  },
)

test('a face is drawn once, wherever the edges of the parts that are looked at again cut it', async () => {
  const face = await smallFace()
  // Faces 20 pixels apart from one another, so that some are at every place of the edges.
  const { width, height } = await sharp(face).metadata()
  const step = { x: width + 21, y: height + 13 }
  const [columns, rows] = [Math.floor(SIZE / step.x), Math.floor(1365 / step.y)]
  const places: Detection[] = []
  const crowd = await sharp({ create: { width: SIZE, height: 1365, channels: 3, background: '#aaa' } })
    .composite(
      Array.from({ length: columns * rows }, (_, place) => {
        const [left, top] = [(place % columns) * step.x, Math.floor(place / columns) * step.y]
        places.push({
          left: left / SIZE,
          top: top / 1365,
          right: (left + width) / SIZE,
          bottom: (top + height) / 1365,
          score: 1,
        })
        return { input: face, left, top }
      }),
    )
    .png()
    .toBuffer()
  const boxes = await facesOf(crowd)
  const centres = places.map((place) => boxes.filter((box) => hasCentreIn(place, box)).length)
  expect(centres.filter((count) => count > 1)).toEqual([])
  expect(centres.filter((count) => count === 1).length / places.length).toBeGreaterThan(0.98)
})

/** A head of 80 × 100 pixels, whose face has about 45. */
async function smallFace(): Promise<Buffer> {
  const photo = samplePhotos()[0]!
  const [face] = await facesOf(photo)
  const { width, height } = await sharp(photo).metadata()
  const [left, top] = [face!.left * width, face!.top * height]
  const [across, down] = [face!.right * width - left, face!.bottom * height - top]
  return sharp(photo)
    .extract({
      left: Math.round(left - across * 0.4),
      top: Math.round(top - down * 0.4),
      width: Math.round(across * 1.8),
      height: Math.round(down * 1.8),
    })
    .resize(80, 100, { fit: 'fill' })
    .png()
    .toBuffer()
}

function hasCentreIn({ left, top, right, bottom }: Detection, box: Detection): boolean {
  const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2]
  return x > left && x < right && y > top && y < bottom
}
