import { afterEach, expect, test, vi } from 'vitest'
import { openUploadHistory } from './upload-history.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

test('without a store, as in a private window, an upload goes on, and the page knows what is uploaded', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => {})
  const refuse = () => {
    throw new DOMException('Not in a private window', 'SecurityError')
  }
  vi.stubGlobal('indexedDB', { open: refuse })
  const history = await openUploadHistory('key')
  await history.begin({ done: 0, total: 1 })
  const photo = new File(['a'], 'a.jpg')
  await history.note([photo])
  expect(history.has(photo)).toBe(true)
  expect(history.interrupted()).toEqual({ done: 1, total: 1 })
  await history.end()
  expect(history.interrupted()).toBe(null)
})

test('a store that never answers holds an upload for two seconds', async () => {
  vi.useFakeTimers()
  vi.stubGlobal('indexedDB', { open: () => new EventTarget() })
  const opening = openUploadHistory('key')
  await vi.advanceTimersByTimeAsync(2_000)
  expect((await opening).interrupted()).toBe(null)
  vi.useRealTimers()
})
