import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createStagingBudget, type StagingBudget, type Upload } from './staging-budget.ts'

let budget: StagingBudget
beforeEach(() => {
  vi.useFakeTimers()
  budget = createStagingBudget(1000)
})
afterEach(() => vi.useRealTimers())

/** The uploads that gave way, by their names. */
const gone: string[] = []
beforeEach(() => void gone.splice(0))

function upload(album: string, address: string, { name = album, isSlow = false, hasArrived = false } = {}) {
  const one: Upload = {
    album,
    address,
    isWaiting: false,
    isSlow: () => isSlow && !one.isWaiting,
    giveWay: hasArrived ? undefined : () => void gone.push(name),
  }
  return one
}

test('one album, or one caller, gets half of the bytes', () => {
  expect(budget.take(500, upload('a', '1'))).toBeUndefined()
  expect(budget.take(1, upload('a', '2'))).toBeInstanceOf(Promise)
  expect(budget.take(1, upload('b', '1'))).toBeInstanceOf(Promise)
  expect(budget.take(500, upload('b', '2'))).toBeUndefined()
})

test('an upload beyond the bytes waits until another ends', async () => {
  const [a, b] = [upload('a', '1'), upload('b', '2')]
  budget.take(500, a)
  budget.take(500, b)
  const c = upload('c', '3')
  const waiting = budget.take(400, c)
  expect(c.isWaiting).toBe(true)
  budget.giveBack(300, a)
  budget.giveBack(300, b)
  await expect(waiting).resolves.toBeUndefined()
  expect(c.isWaiting).toBe(false)
  // 800 are in use again.
  expect(budget.take(201, upload('d', '4'))).toBeInstanceOf(Promise)
  expect(budget.take(200, upload('d', '4'))).toBeUndefined()
  expect(gone).toEqual([])
})

test('after ten seconds an upload that waits is refused, with the time to try again', async () => {
  const a = upload('a', '1')
  budget.take(500, a)
  const refused = expect(budget.take(1, upload('a', '1'))).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
    message: 'Too many photos are being uploaded at the moment',
    retryAfter: 10,
  })
  await vi.advanceTimersByTimeAsync(10_000)
  await refused
  expect(gone).toEqual([])
  budget.giveBack(500, a)
  expect(budget.take(500, upload('a', '1'))).toBeUndefined()
})

test('a slow upload of who holds most gives way at once, one at a time', async () => {
  const most = upload('b', '2', { isSlow: true })
  budget.take(200, upload('fast', '1'))
  budget.take(250, upload('a', '3', { isSlow: true }))
  budget.take(350, most)
  const waiting = budget.take(300, upload('c', '4'))
  await vi.advanceTimersByTimeAsync(3_000)
  expect(gone).toEqual(['b'])
  budget.giveBack(350, most)
  await waiting
})

test('neighbours of one address do not wait for a slow upload there', async () => {
  const slow = upload('a', '1', { isSlow: true })
  budget.take(500, slow)
  const waiting = budget.take(100, upload('b', '1'))
  expect(gone).toEqual(['a'])
  budget.giveBack(500, slow)
  await waiting
})

test('the largest upload of who holds most gives way to one that would have less, after some seconds', async () => {
  const [small, large] = [upload('a', '1', { name: 'small' }), upload('b', '1', { name: 'large' })]
  budget.take(150, small)
  budget.take(250, large)
  budget.take(100, upload('arrived', '1', { hasArrived: true }))
  budget.take(450, upload('c', '2'))
  const asks = upload('d', '3')
  const waiting = budget.take(100, asks)
  await vi.advanceTimersByTimeAsync(4_000)
  expect(gone).toEqual([])
  await vi.advanceTimersByTimeAsync(2_000)
  expect(gone).toEqual(['large'])
  budget.giveBack(250, large)
  await waiting
  // It has as much as the others by now.
  budget.take(200, asks)
  const more = expect(budget.take(200, asks)).rejects.toThrow()
  await vi.advanceTimersByTimeAsync(10_000)
  await more
  expect(gone).toEqual(['large'])
})

test('nobody gives way to an upload whose client has gone', async () => {
  budget.take(500, upload('a', '1', { isSlow: true }))
  budget.take(500, upload('b', '2', { isSlow: true }))
  const refused = expect(budget.take(1, upload('c', '3', { hasArrived: true }))).rejects.toThrow()
  await vi.advanceTimersByTimeAsync(10_000)
  await refused
  expect(gone).toEqual([])
})
