import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createLimiter, type LimiterOptions, type RunOptions } from './limiter.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

/** Lets everything go on that waits for no timer. */
const settled = () => vi.advanceTimersByTimeAsync(0)

function open(options: LimiterOptions) {
  const limiter = createLimiter(options)
  const begun: string[] = []
  const refused: string[] = []
  const ends = new Map<string, PromiseWithResolvers<void>>()
  return {
    limiter,
    begun,
    refused,
    /** Asks for a turn. The first letter is the key. */
    ask(name: string, run?: RunOptions) {
      const end = Promise.withResolvers<void>()
      ends.set(name, end)
      const work = () => {
        begun.push(name)
        return end.promise
      }
      void limiter.run(name[0]!, work, run).catch(() => void refused.push(name))
    },
    async end(name: string) {
      ends.get(name)!.resolve()
      await settled()
    },
    async fail(name: string) {
      ends.get(name)!.reject(new Error('failed'))
      await settled()
    },
  }
}

test('keys take turns, each in its own order', async () => {
  const { ask, begun, end } = open({ running: 1 })
  for (const name of ['a1', 'a2', 'a3', 'b1', 'b2', 'c1']) ask(name)
  await settled()
  for (let index = 0; index < 6; index++) await end(begun.at(-1)!)
  expect(begun).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2'])
})

test('only so much runs at once, and one key leaves a place to another', async () => {
  const { ask, begun, end, limiter } = open({ running: 3, perKey: 2 })
  for (const name of ['a1', 'a2', 'a3', 'b1', 'b2']) ask(name)
  await settled()
  expect(begun).toEqual(['a1', 'a2', 'b1'])
  expect(limiter.figures()).toEqual({ running: 3, waiting: 2 })
  await end('b1')
  expect(begun.at(-1)).toBe('b2')
})

test('work that takes several places begins as long as one is free', async () => {
  const { ask, begun, end } = open({ running: 3 })
  ask('a1')
  ask('b1', { places: 8 })
  ask('c1')
  await settled()
  expect(begun).toEqual(['a1', 'b1'])
  await end('a1')
  expect(begun).toEqual(['a1', 'b1'])
  await end('b1')
  expect(begun).toEqual(['a1', 'b1', 'c1'])
})

test('when too many wait, the last of the key that has most is refused, with a time to come again', async () => {
  const { ask, begun, refused, limiter } = open({ running: 1, waiting: 4 })
  for (const name of ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1']) ask(name)
  await settled()
  expect([begun, refused]).toEqual([['a1'], ['a4', 'a3']])
  for (const name of ['b3', 'b4']) ask(name)
  await settled()
  expect(refused).toEqual(['a4', 'a3', 'b3', 'b4'])
  const answer = await limiter.run('b', async () => {}).catch((error) => error)
  expect(answer).toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfter: 5 })
})

test('nobody waits for longer than the time', async () => {
  const { ask, begun, refused, end } = open({ running: 1, waitMs: 8_000 })
  ask('a1')
  ask('b1')
  await vi.advanceTimersByTimeAsync(7_999)
  expect(refused).toEqual([])
  await vi.advanceTimersByTimeAsync(1)
  expect(refused).toEqual(['b1'])
  // Work that has begun takes as long as it takes.
  await vi.advanceTimersByTimeAsync(60_000)
  ask('c1')
  await end('a1')
  expect(begun).toEqual(['a1', 'c1'])
})

test('who hangs up leaves its place in the line, and has none when it hung up before', async () => {
  const { ask, begun, refused, end } = open({ running: 1 })
  const leaving = new AbortController()
  ask('a1')
  ask('a2', { signal: leaving.signal })
  ask('b1')
  leaving.abort()
  ask('a3', { signal: leaving.signal })
  await settled()
  expect(refused).toEqual(['a2', 'a3'])
  await end('a1')
  expect(begun).toEqual(['a1', 'b1'])
})

test('work that fails gives its place back, and its error', async () => {
  const { ask, begun, refused, fail, limiter } = open({ running: 1 })
  ask('a1')
  ask('a2')
  await fail('a1')
  expect([begun, refused]).toEqual([['a1', 'a2'], ['a1']])
  await fail('a2')
  const sync = limiter.run('a', () => {
    throw new Error('at once')
  })
  await expect(sync).rejects.toThrow('at once')
  expect(limiter.figures()).toEqual({ running: 0, waiting: 0 })
})
