import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openLedger } from './ledger.ts'

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
  const opening = openLedger('key', [])
  await vi.advanceTimersByTimeAsync(2_000)
  const ledger = await opening
  // No time passes here.
  await ledger.begin({ done: 0, total: 1 })
  await ledger.note([new File(['a'], 'a.jpg')])
  expect(ledger.interrupted()).toEqual({ done: 1, total: 1 })
  await ledger.end()
  expect(opened).toBe(1)
})
