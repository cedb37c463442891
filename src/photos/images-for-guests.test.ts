import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp, { type Sharp } from 'sharp'
import { describe, expect, test } from 'vitest'
import { exifFields, onlyTakenAt } from '../testing/exif-fields.ts'
import { folderOfFile } from '../testing/folder-of-file.ts'
import { samplePath } from '../testing/sample-photos.ts'
import {
  type InspectedPhoto,
  inspectPhoto,
  renderFull,
  renderPreview,
  renderSelfie,
  renderThumbnail,
} from './images.ts'

const folder = await folderOfFile()
const sample = await readFile(samplePath(1))

async function inspect(bytes: Buffer): Promise<InspectedPhoto> {
  const path = join(folder, 'upload.jpg')
  await writeFile(path, bytes)
  return inspectPhoto(path)
}

/** Left half red, right half blue, twice as wide as high. */
function redThenBlue(): Sharp {
  const half = (background: string) =>
    ({ create: { width: 200, height: 200, channels: 3, background } }) as const
  return sharp({ create: { width: 400, height: 200, channels: 3, background: 'red' } }).composite([
    { input: half('blue'), left: 200, top: 0 },
  ])
}

async function pixel(image: Buffer, left: number, top: number): Promise<number[]> {
  const { data } = await sharp(image)
    .extract({ left, top, width: 1, height: 1 })
    .raw()
    .toBuffer({ resolveWithObject: true })
  return [...data]
}

function expectColour(found: number[], wanted: number[], tolerance = 12): void {
  expect(
    found.every((value, channel) => Math.abs(value - (wanted[channel] ?? 255)) <= tolerance),
    `${found} is not about ${wanted}`,
  ).toBe(true)
}

async function expectNoMetadata(image: Buffer): Promise<void> {
  const found = await sharp(image).metadata()
  expect(found).not.toHaveProperty('exif')
  expect(found).not.toHaveProperty('xmp')
  expect(found).not.toHaveProperty('iptc')
  expect(found).not.toHaveProperty('icc')
  expect(found).not.toHaveProperty('orientation')
  for (const trace of ['Exif', 'adobe', 'Photoshop', 'Secret Phone'])
    expect(image.includes(trace)).toBe(false)
}

describe('what a guest receives', () => {
  test('is upright in every orientation of the camera', async () => {
    // EXIF orientation → where red is, once upright.
    const red: Record<number, 'left' | 'right' | 'top' | 'bottom'> = {
      1: 'left',
      2: 'right',
      3: 'right',
      4: 'left',
      5: 'top',
      6: 'top',
      7: 'bottom',
      8: 'bottom',
    }
    for (const [orientation, side] of Object.entries(red)) {
      const bytes = await redThenBlue()
        .withMetadata({ orientation: Number(orientation) })
        .jpeg()
        .toBuffer()
      const [width, height] = side === 'left' || side === 'right' ? [400, 200] : [200, 400]
      const photo = await inspect(bytes)
      expect(photo).toMatchObject({ width, height })
      const rendered = [await renderThumbnail(bytes), await renderPreview(bytes), await renderFull(bytes)]
      for (const image of [photo.thumbnail, ...rendered]) {
        expect(await sharp(image).metadata()).toMatchObject({ width, height })
        const [left, top] = { left: [20, 100], right: [380, 100], top: [100, 20], bottom: [100, 380] }[side]
        expectColour(await pixel(image, left!, top!), [255, 0, 0], 40)
      }
    }
  })

  test('carries no position, device, XMP or profile, and of the time only when it was taken', async () => {
    expect(await sharp(sample).metadata()).toHaveProperty('exif')
    const tagged = await sharp(sample)
      .withExif({
        IFD0: { Make: 'Secret Phone', Copyright: 'Secret Phone' },
        IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '48/1 8/1 0/1' },
      })
      .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/"><a>Secret Phone</a></x:xmpmeta>')
      .jpeg()
      .toBuffer()
    const taggedPng = await sharp(tagged).keepMetadata().png().toBuffer()
    expect(tagged.includes('Secret Phone')).toBe(true)
    expect(await sharp(taggedPng).metadata()).toHaveProperty('exif')
    for (const bytes of [tagged, taggedPng]) {
      await expectNoMetadata((await inspect(bytes)).thumbnail)
      await expectNoMetadata(await renderPreview(bytes))
      await expectNoMetadata(await renderFull(bytes))
    }
    expect(await inspect(sample)).toMatchObject({ takenAt: '2017-10-31T20:16:18' })
    await expectNoMetadata((await inspect(sample)).thumbnail)
    for (const image of [await renderPreview(sample), await renderFull(sample)])
      expect(await exifFields(image)).toEqual(onlyTakenAt('2017:10:31 20:16:18'))
  })

  test('has its colours converted from the profile of the camera', async () => {
    const colour = { r: 200, g: 60, b: 60 }
    const wide = await sharp({ create: { width: 64, height: 64, channels: 3, background: colour } })
      .withIccProfile('p3')
      .png()
      .toBuffer()
    const raw = await sharp(wide, { ignoreIcc: true }).raw().toBuffer()
    expect(Math.abs(raw[0]! - 200), 'the fixture is no wide gamut image').toBeGreaterThan(10)
    expectColour(await pixel((await inspect(wide)).thumbnail, 5, 5), [200, 60, 60], 6)
    for (const image of [await renderPreview(wide), await renderFull(wide)]) {
      expectColour(await pixel(image, 5, 5), [200, 60, 60], 3)
      await expectNoMetadata(image)
    }
  })

  test('shows transparent parts white in the grid and on a screen, and keeps them in the full PNG', async () => {
    const clear = { r: 0, g: 0, b: 0, alpha: 0 }
    const bytes = await sharp({ create: { width: 64, height: 64, channels: 4, background: clear } })
      .png()
      .toBuffer()
    expectColour(await pixel((await inspect(bytes)).thumbnail, 5, 5), [255, 255, 255], 2)
    for (const image of [await renderPreview(bytes), await renderSelfie(bytes)])
      expectColour(await pixel(image, 5, 5), [255, 255, 255], 2)
    expect((await sharp(await renderFull(bytes)).metadata()).hasAlpha).toBe(true)
  })
})

describe('a selfie', () => {
  test.each(['jpeg', 'png', 'gif', 'webp'] as const)('of %s becomes a JPEG', async (format) => {
    const selfie = await renderSelfie(await sharp(sample).resize(400).toFormat(format).toBuffer())
    expect(await sharp(selfie).metadata()).toMatchObject({ format: 'jpeg', width: 400, space: 'srgb' })
  })

  test('is made upright, and loses its metadata', async () => {
    const sideways = await sharp(sample).resize(400, 300).withMetadata({ orientation: 6 }).jpeg().toBuffer()
    const selfie = await renderSelfie(sideways)
    expect(await sharp(selfie).metadata()).toMatchObject({ width: 300, height: 400 })
    await expectNoMetadata(selfie)
  })
})
