import { expect, test } from 'vitest'
import type { ViewedPhoto } from '../photo-path.ts'
import { nextPortion } from './save.ts'

const photos = Array.from({ length: 40 }, (_, index) => ({ filename: `${index}.jpg` })) as ViewedPhoto[]
const fileOf = (bytes: number) => async (photo: ViewedPhoto) => {
  const file = new File([], photo.filename)
  Object.defineProperty(file, 'size', { value: bytes })
  return file
}

test('a portion has as many files, and as many bytes, as the share sheet takes, and at least one', async () => {
  expect(await nextPortion(photos, fileOf(1_000_000))).toHaveLength(10)
  expect(await nextPortion(photos, fileOf(12_000_000))).toHaveLength(4)
  expect(await nextPortion(photos.slice(0, 3), fileOf(1))).toHaveLength(3)
  expect(await nextPortion(photos, fileOf(60_000_000))).toHaveLength(1)
})
