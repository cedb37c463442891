import { beforeEach, expect, test, vi } from 'vitest'
import { currentToast, dismissFailures, subscribeToToasts, toast } from './toast-store.ts'

beforeEach(() => {
  vi.useFakeTimers()
  return () => vi.useRealTimers()
})

test('one toast is visible at a time: a newer one replaces the older', () => {
  toast({ title: 'first' })
  toast({ title: 'second' })
  expect(currentToast()).toMatchObject({ title: 'second', open: true })
})

test('a dismissed toast is closed at once, and removed 1,000,000 ms later', () => {
  toast({ title: 'first' }).dismiss()
  vi.advanceTimersByTime(999_999)
  expect(currentToast()).toMatchObject({ title: 'first', open: false })
  vi.advanceTimersByTime(1)
  expect(currentToast()).toBeNull()
})

test('a toast can be changed while it is there', () => {
  const { update } = toast({ title: 'Uploading', description: '1 of 2' })
  update({ title: 'Uploaded' })
  expect(currentToast()).toMatchObject({ title: 'Uploaded', description: '1 of 2', open: true })
})

test('a listener is called for each change until it unsubscribes', () => {
  const listener = vi.fn()
  const stop = subscribeToToasts(listener)
  toast({ title: 'first' })
  stop()
  toast({ title: 'second' })
  expect(listener).toHaveBeenCalledOnce()
})

test('a later success dismisses what failed before, and not what succeeded', () => {
  toast({ title: 'Search failed', tone: 'error' })
  dismissFailures()
  expect(currentToast()).toMatchObject({ title: 'Search failed', open: false })
  toast({ title: 'Forgotten', tone: 'success' })
  dismissFailures()
  expect(currentToast()).toMatchObject({ title: 'Forgotten', open: true })
})
