import { expect, test } from 'vitest'
import type { ResultPhoto } from '../../../../src/contract/submissions.ts'
import { filesAtOnce, nextPortion } from './portions.ts'

const photos = Array.from({ length: 40 }, (_, index) => ({ filename: `${index}.jpg` })) as ResultPhoto[]
const fileOf = (bytes: number) => async (photo: ResultPhoto) => {
  const file = new File([], photo.filename)
  Object.defineProperty(file, 'size', { value: bytes })
  return file
}

test('an iPhone and an iPad take 25 files at once, every other phone 10', () => {
  const filesFor = (userAgent: string, maxTouchPoints: number) => filesAtOnce({ userAgent, maxTouchPoints })
  expect(filesFor('Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X)', 5)).toBe(25)
  expect(filesFor('Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)', 5)).toBe(25)
  expect(filesFor('Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)', 0)).toBe(10)
  expect(filesFor('Mozilla/5.0 (Linux; Android 15) Chrome/140', 5)).toBe(10)
})

test('a portion has as many files, and as many bytes, as the share sheet takes, and at least one', async () => {
  expect(await nextPortion(photos, fileOf(1_000_000), 10)).toHaveLength(10)
  expect(await nextPortion(photos, fileOf(12_000_000), 10)).toHaveLength(4)
  expect(await nextPortion(photos.slice(0, 3), fileOf(1), 10)).toHaveLength(3)
  expect(await nextPortion(photos, fileOf(60_000_000), 10)).toHaveLength(1)
})
