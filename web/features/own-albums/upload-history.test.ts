import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openUploadHistory } from './upload-history.ts'

beforeEach(() => {
  vi.useFakeTimers()
  vi.spyOn(console, 'warn').mockImplementation(() => {})
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

test('a store that never answers holds an upload for two seconds, once', async () => {
  let opened = 0
  vi.stubGlobal('indexedDB', { open: () => ++opened && new EventTarget() })
  const opening = openUploadHistory('key')
  await vi.advanceTimersByTimeAsync(2_000)
  const history = await opening
  // No time passes here.
  await history.begin({ done: 0, total: 1 })
  await history.note([new File(['a'], 'a.jpg')])
  expect(history.interrupted()).toEqual({ done: 1, total: 1 })
  await history.end()
  expect(opened).toBe(1)
})

test('without a store, as in a private window, an upload goes on', async () => {
  const refuse = () => {
    throw new DOMException('Not in a private window', 'SecurityError')
  }
  vi.stubGlobal('indexedDB', { open: refuse })
  const history = await openUploadHistory('key')
  await history.begin({ done: 0, total: 1 })
  await history.end()
  expect(vi.getTimerCount()).toBe(0)
})
