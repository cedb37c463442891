import { expect, test } from 'vitest'
import { isHeic } from './picture-type.ts'

test.each([
  ['IMG_1.HEIC', 'image/heic', true],
  // Not every system knows the type.
  ['IMG_1.HEIC', 'application/octet-stream', true],
  ['photo', 'image/heif', true],
  ['IMG_1.HEIC', 'image/jpeg', false],
  ['IMG_1.jpg', '', false],
])('%s of the type %j is a HEIC photo: %s', (name, type, expected) => {
  expect(isHeic({ name, type })).toBe(expected)
})
