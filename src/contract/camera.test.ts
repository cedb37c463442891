import sharp from 'sharp'
import { expect, test } from 'vitest'
import { CAMERA, cameraIn } from './camera.ts'
import { exifThatSays } from './camera-time.ts'

async function cameraOf(Make: string, Model: string, BodySerialNumber?: string): Promise<string | undefined> {
  const picture = sharp({ create: { width: 8, height: 8, channels: 3, background: 'white' } }).jpeg()
  const exif = { IFD0: { Make, Model }, IFD2: { ...(BodySerialNumber && { BodySerialNumber }) } }
  return cameraIn((await sharp(await picture.withExif(exif).toBuffer()).metadata()).exif)
}

test.each([
  ['Canon', 'Canon EOS R5', '012021000042', 'Canon EOS R5 (0042)'],
  ['NIKON CORPORATION', 'NIKON D850', undefined, 'NIKON D850'],
  ['Apple', 'iPhone 15 Pro', undefined, 'Apple iPhone 15 Pro'],
  ['SONY  ', 'ILCE\t7M3', '  7 ', 'SONY ILCE 7M3 (7)'],
  [' ', 'x'.repeat(300), '1234', `${'x'.repeat(73)} (1234)`],
])('a camera of %s, model %s, with the number %s is named %s', async (make, model, serial, name) => {
  expect(await cameraOf(make, model, serial)).toBe(name)
  expect(name).toMatch(CAMERA)
})

test.each(['Canon EOS R5 (0042)', 'X1', 'x'.repeat(80)])('%s is the same in a copy that names it', (name) => {
  expect(cameraIn(Buffer.from(exifThatSays(undefined, name)))).toBe(name)
})

test('a file that does not say it has none', async () => {
  expect(cameraIn(undefined)).toBeUndefined()
  expect(cameraIn(Buffer.from('Exif\0\0MM'))).toBeUndefined()
  expect(await cameraOf(' ', ' ')).toBeUndefined()
})
