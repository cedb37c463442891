import { expect, test } from 'vitest'
import type { ResultPhoto } from '../../../../src/contract/submissions.ts'
import { nextPortion, portionLimits } from './portions.ts'

const photos = Array.from({ length: 40 }, (_, index) => ({ filename: `${index}.jpg` })) as ResultPhoto[]
const fileOf = (bytes: number) => async (photo: ResultPhoto) => {
  const file = new File([], photo.filename)
  Object.defineProperty(file, 'size', { value: bytes })
  return file
}

test('an iPhone and an iPad take 25 files at once, every other phone 10', () => {
  const filesFor = (userAgent: string, touchPoints: number) => portionLimits(userAgent, touchPoints).files
  expect(filesFor('Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X)', 5)).toBe(25)
  expect(filesFor('Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)', 5)).toBe(25)
  expect(filesFor('Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)', 0)).toBe(10)
  expect(filesFor('Mozilla/5.0 (Linux; Android 15) Chrome/140', 5)).toBe(10)
})

test('a portion has as many files, and as many bytes, as the share sheet takes', async () => {
  const limits = { files: 10, bytes: 50_000_000 }
  expect(await nextPortion(photos, limits, fileOf(1_000_000))).toHaveLength(10)
  expect(await nextPortion(photos, limits, fileOf(12_000_000))).toHaveLength(4)
  expect(await nextPortion(photos.slice(0, 3), limits, fileOf(1))).toHaveLength(3)
})

test('a photo that is larger than a portion is a portion of its own', async () => {
  expect(await nextPortion(photos, { files: 10, bytes: 5 }, fileOf(6))).toHaveLength(1)
})
