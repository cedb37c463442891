import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { isReadable } from './readable.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** A file whose disk answers like this. */
function fileThat(read: () => Promise<ArrayBuffer>): File {
  const file = new File(['photo'], 'a.jpg')
  return Object.assign(file, { slice: () => Object.assign(new Blob(), { arrayBuffer: read }) })
}

test('a file that is there is readable, and one that is gone is not; no timer stays behind', async () => {
  expect(await isReadable(new File(['photo'], 'a.jpg'))).toBe(true)
  const gone = new DOMException('It could not be found', 'NotFoundError')
  expect(await isReadable(fileThat(() => Promise.reject(gone)))).toBe(false)
  expect(vi.getTimerCount()).toBe(0)
})

test('a disk that does not answer is no reason to give a photo up', async () => {
  const answer = isReadable(fileThat(() => new Promise(() => {})))
  await vi.advanceTimersByTimeAsync(10_000)
  expect(await answer).toBe(true)
})
