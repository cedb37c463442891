import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createTurns } from './turns.ts'

const never = new AbortController().signal

/** Work that the test ends. The names of what has begun are in `begun`. */
function stage() {
  const inTurn = createTurns({ places: 3, perOwner: 2 })
  const begun: string[] = []
  const ends: (() => void)[] = []
  const add = (owner: string, until = never) =>
    inTurn(owner, until, async () => {
      begun.push(owner)
      await new Promise<void>((resolve) => ends.push(resolve))
      return owner
    })
  return { begun, add, end: () => ends.shift()!() }
}

test('an owner with many pieces of work leaves a place to others, who then take turns', async () => {
  const { begun, add, end } = stage()
  for (let piece = 0; piece < 5; piece++) void add('many')
  expect(begun).toEqual(['many', 'many'])
  for (const owner of ['one', 'two']) void add(owner)
  expect(begun).toEqual(['many', 'many', 'one'])
  for (let ended = 0; ended < 2; ended++) {
    end()
    await setImmediate()
  }
  expect(begun).toEqual(['many', 'many', 'one', 'many', 'two'])
})

test('who has waited long enough goes without an answer, and leaves the queue', async () => {
  const { begun, add, end } = stage()
  const hungUp = new AbortController()
  void add('a')
  const working = add('a', hungUp.signal)
  const waiting = add('a', hungUp.signal)
  hungUp.abort()
  expect(await Promise.all([working, waiting, add('b', hungUp.signal)])).toEqual([
    undefined,
    undefined,
    undefined,
  ])
  // Work that has begun keeps its place until its end.
  const next = add('a')
  expect(begun).toEqual(['a', 'a'])
  end()
  end()
  await setImmediate()
  expect(begun).toEqual(['a', 'a', 'a'])
  end()
  expect(await next).toBe('a')
})

test('a fault reaches who waits for the work, and the next piece of work begins', async () => {
  const inTurn = createTurns({ places: 1, perOwner: 1 })
  const fault = new Error('fault')
  const failing = inTurn('a', never, () => Promise.reject(fault))
  const next = inTurn('a', never, async () => 'next')
  await expect(failing).rejects.toBe(fault)
  expect(await next).toBe('next')
})

test('one thing is worked on as often as it may be, while other things of its owner go on', async () => {
  const inTurn = createTurns({ places: 3, perOwner: 2, perPart: 1 })
  const begun: string[] = []
  const ends: (() => void)[] = []
  const add = (owner: string, part: string) =>
    void inTurn(
      owner,
      never,
      async () => {
        begun.push(owner + part)
        await new Promise<void>((resolve) => ends.push(resolve))
      },
      part,
    )
  for (const [owner, part] of ['a1', 'a1', 'a1', 'a2', 'b1', 'b3'].map((pair) => [...pair]))
    add(owner!, part!)
  expect(begun).toEqual(['a1', 'a2', 'b3'])
  ends[0]!()
  await setImmediate()
  expect(begun).toEqual(['a1', 'a2', 'b3', 'a1'])
  ends[3]!()
  await setImmediate()
  expect(begun).toEqual(['a1', 'a2', 'b3', 'a1', 'b1'])
})
