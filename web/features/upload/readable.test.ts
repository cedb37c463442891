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

test('an existing file is readable and a missing one is not; no timer is left running', async () => {
  expect(await isReadable(new File(['photo'], 'a.jpg'))).toBe(true)
  const gone = new DOMException('It could not be found', 'NotFoundError')
  expect(await isReadable(fileThat(() => Promise.reject(gone)))).toBe(false)
  expect(vi.getTimerCount()).toBe(0)
})

test('a photo on a disk that does not answer counts as readable', async () => {
  const answer = isReadable(fileThat(() => new Promise(() => {})))
  await vi.advanceTimersByTimeAsync(10_000)
  expect(await answer).toBe(true)
})
