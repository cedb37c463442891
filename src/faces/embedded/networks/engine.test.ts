import sharp from 'sharp'
import { expect, test } from 'vitest'
import { blackPng } from '../../../testing/png.ts'
import { cropFace, samplePhotos } from '../../../testing/sample-photos.ts'
import { distanceOf } from '../matching/query-embedding.ts'
import { problemsOf } from '../matching/seen-selfies.ts'
import { type DescribedFace, loadFaceEngine } from './engine.ts'

const photo = samplePhotos()[0]!

const { engine } = await loadFaceEngine()
/** Of each of the six event photos. */
const described: DescribedFace[][] = []
for (const one of samplePhotos()) described.push((await engine.describePhoto(one)).faces)
/** Of the first photo. */
const faces = leftToRight(described[0]!)

test('finds all 22 faces of the six event photos', () => {
  expect(described.map((found) => found.length)).toEqual([3, 3, 3, 4, 5, 4])
})

test('a face has the descriptor by which stored ones are found', () => {
  const expected = [
    [-0.054, 0.0778, 0.0195, -0.0704, -0.0873, 0.0535],
    [-0.0779, 0.0436, 0.0618, -0.0539, -0.1137, -0.0228],
    [-0.0321, 0.0716, 0.0739, -0.1246, -0.1091, -0.0466],
  ].map((first) => first.map((value) => expect.closeTo(value, 2)))
  expect(faces.map(({ descriptor }) => [...descriptor.slice(0, 6)])).toEqual(expected)
})

test('recognises the woman who is in two of the photos, and mistakes nobody else for her', () => {
  const others = leftToRight(described[2]!)
  const laughing = faces[2]!
  expect(distanceOf(laughing.descriptor, others[1]!.descriptor)).toBeLessThan(0.48)
  for (const stranger of [faces[0]!, faces[1]!, others[0]!, others[2]!])
    expect(distanceOf(laughing.descriptor, stranger.descriptor)).toBeGreaterThan(0.55)
})

test('a face that fills its frame is found with a grey margin, its box within the picture', async () => {
  const { faces: found } = await engine.describePhoto(await cropFace(photo, faces[1]!.box, 0.9))
  expect(found).toHaveLength(1)
  const { left, top, width, height } = found[0]!.box
  expect(Math.min(left, top)).toBeGreaterThanOrEqual(0)
  expect(Math.max(left + width, top + height)).toBeLessThanOrEqual(1)
  expect(width * height).toBeGreaterThan(0.5)
  expect(distanceOf(found[0]!.descriptor, faces[1]!.descriptor)).toBeLessThan(0.25)
})

test.each([
  ['turned by 15°', (image: Buffer) => sharp(image).rotate(15, { background: '#444' }).png()],
  ['in grey', (image: Buffer) => sharp(image).greyscale().toColourspace('b-w').png()],
  ['in grey with alpha', (image: Buffer) => sharp(image).ensureAlpha(0.9).greyscale().png()],
  ['with 16 bits', (image: Buffer) => sharp(image).toColourspace('rgb16').png()],
  ['in CMYK', (image: Buffer) => sharp(image).toColourspace('cmyk').jpeg()],
  ['with a palette', (image: Buffer) => sharp(image).png({ palette: true })],
  [
    'lying, as its EXIF header says',
    (image: Buffer) => sharp(image).rotate(90).withMetadata({ orientation: 8 }).jpeg(),
  ],
])('the same face %s is the same person', async (_, change) => {
  const image = await change(await cropFace(photo, faces[0]!.box, 2)).toBuffer()
  const { faces: found } = await engine.describePhoto(image)
  expect(found).toHaveLength(1)
  expect(distanceOf(found[0]!.descriptor, faces[0]!.descriptor)).toBeLessThan(0.4)
})

test.each([30, 45, 60, 90, 270])('a face turned by %i° is found, and is the same person', async (degrees) => {
  const image = sharp(await cropFace(photo, faces[1]!.box, 3)).rotate(degrees, { background: '#888' })
  const [found] = (await engine.describePhoto(await image.jpeg().toBuffer())).faces
  expect(distanceOf(found!.descriptor, faces[1]!.descriptor)).toBeLessThan(0.4)
  const { left, top, width, height } = found!.box
  expect(Math.hypot(left + width / 2 - 0.5, top + height / 2 - 0.5)).toBeLessThan(0.2)
})

test('a selfie that is upside down, or has 80 pixels, shows the same person', async () => {
  const selfie = sharp(await cropFace(photo, faces[0]!.box, 2))
  for (const changed of [selfie.clone().rotate(180), selfie.clone().resize(80, 80)]) {
    const seen = await engine.describeSelfie(await changed.jpeg({ quality: 95 }).toBuffer())
    expect(seen.faces).toHaveLength(1)
    expect(distanceOf(seen.described!.descriptor, faces[0]!.descriptor)).toBeLessThan(0.5)
  }
})

const DRAWING = `<svg xmlns="http://www.w3.org/2000/svg" width="600" height="600" fill="none" stroke="#000" stroke-width="8">
  <rect width="600" height="600" fill="#fff" stroke="none"/>
  <circle cx="300" cy="300" r="200"/><circle cx="230" cy="250" r="12"/><circle cx="370" cy="250" r="12"/>
  <path d="M220 380 Q300 450 380 380"/>
</svg>`

test('a selfie without a face, such as a drawing, has that problem, and one in the dark is too dark', async () => {
  const inTheDark = sharp(await cropFace(photo, faces[0]!.box, 2)).linear(0.05, 0)
  for (const [picture, isDark] of [
    [sharp(Buffer.from(DRAWING)), false],
    [inTheDark, true],
  ] as const) {
    const problems = problemsOf(await engine.describeSelfie(await picture.png().toBuffer()))
    expect(problems).toEqual(isDark ? ['TOO_DARK', 'NO_FACE'] : ['NO_FACE'])
  }
})

test('transparent pixels do not count', async () => {
  const { width, height } = await sharp(photo).metadata()
  const invisible = await sharp(photo)
    .joinChannel(Buffer.alloc(width * height), {
      raw: { width, height, channels: 1 },
    })
    .png()
    .toBuffer()
  expect((await engine.describePhoto(invisible)).faces).toEqual([])
})

test.each([
  ['cut short', async () => photo.subarray(0, photo.length / 2)],
  ['text', async () => Buffer.from('no picture')],
  ['empty', async () => Buffer.alloc(0)],
  ['SVG', async () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')],
  ['a bomb', async () => blackPng(12_000)],
])('a picture that is %s is refused', async (_, make) => {
  await expect(engine.describePhoto(await make())).rejects.toMatchObject({ code: 'UNPROCESSABLE_CONTENT' })
})

test('a very long picture has no face', async () => {
  const strip = await sharp({ create: { width: 5000, height: 2, channels: 3, background: '#fff' } })
    .png()
    .toBuffer()
  expect((await engine.describePhoto(strip)).faces).toEqual([])
})

function leftToRight(found: DescribedFace[]): DescribedFace[] {
  return found.toSorted((one, other) => one.box.left - other.box.left)
}
