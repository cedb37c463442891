import { beforeEach, expect, test, vi } from 'vitest'
import { SUBMISSION_DELETION_DELAY_MS } from '../../../src/contract/limits.ts'
import { deleteLater } from './delete-later.ts'

beforeEach(() => {
  vi.useFakeTimers()
  return () => vi.useRealTimers()
})

test('results that are shown twice are deleted once, thirty seconds after the first time', async () => {
  const erase = vi.fn(async () => {})
  deleteLater('a', erase)
  await vi.advanceTimersByTimeAsync(SUBMISSION_DELETION_DELAY_MS - 1)
  deleteLater('a', erase)
  expect(erase).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  expect(erase).toHaveBeenCalledOnce()
  await vi.advanceTimersByTimeAsync(SUBMISSION_DELETION_DELAY_MS)
  expect(erase).toHaveBeenCalledOnce()
})

test('a deletion that fails is said in the console alone, and is tried again when the results are shown again', async () => {
  const said = vi.spyOn(console, 'error').mockImplementation(() => {})
  const erase = vi.fn(() => Promise.reject(new Error('The service is busy')))
  deleteLater('a', erase)
  await vi.advanceTimersByTimeAsync(SUBMISSION_DELETION_DELAY_MS)
  expect(said).toHaveBeenCalledExactlyOnceWith('The submission could not be deleted', expect.any(Error))
  deleteLater('a', erase)
  await vi.advanceTimersByTimeAsync(SUBMISSION_DELETION_DELAY_MS)
  expect(erase).toHaveBeenCalledTimes(2)
  said.mockRestore()
})
