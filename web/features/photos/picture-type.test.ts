import { expect, test } from 'vitest'
import { isHeic, pictureType, withTypeOfContent } from './picture-type.ts'

const latin = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0))

test.each([
  ['\xff\xd8\xff\xe0rest of a JPEG', 'image/jpeg'],
  ['\x89PNG\r\n\x1a\nrest of a PNG', 'image/png'],
  ['GIF89a and more', 'image/gif'],
  ['RIFF\x10\n\x00\x00WEBPVP8 ', 'image/webp'],
  ['\x00\x00\x00\x18ftypheic', undefined],
  ['hello', undefined],
  ['', undefined],
])('%j is %s', async (head, type) => {
  expect(await pictureType(new Blob([latin(head)]))).toBe(type)
})

test('a HEIC whose type the system does not know is one by its name', () => {
  expect(isHeic({ name: 'IMG_1.HEIC', type: 'application/octet-stream' })).toBe(true)
})

test('a JPEG that is called .HEIC is no HEIC', async () => {
  const file = new File([latin('\xff\xd8\xff\xe0')], 'IMG_1.HEIC', { type: 'image/heic' })
  expect(isHeic(file)).toBe(true)
  const { type, name } = await withTypeOfContent(file)
  expect([type, name, isHeic(file)]).toEqual(['image/jpeg', 'IMG_1.HEIC', false])
})
