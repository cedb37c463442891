import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createFairPlaces, type PlaceLimits } from './fair-places.ts'

const LIMITS: PlaceLimits = { places: 4, perCaller: 3, waiting: 10 }

/** Places become free in the next turn of the event loop, and those who wait enter in the one after it. */
async function placesGivenBack(): Promise<void> {
  for (let turn = 0; turn < 2; turn++) await nextTurn()
}

function open(limits: Partial<PlaceLimits> = {}) {
  const places = createFairPlaces({ ...LIMITS, ...limits })
  const entered: string[] = []
  const refused: string[] = []
  const ask = (name: string, taken = 1) => {
    const request = {
      caller: name[0]!,
      places: taken,
      enter: () => void entered.push(name),
      refuse: () => void refused.push(name),
    }
    places.ask(request)
    return () => places.leave(request)
  }
  return { ask, entered, refused }
}

test('a caller enters at once while there is a place, and one caller cannot take all', () => {
  const { ask, entered } = open()
  for (const name of ['a1', 'a2', 'a3', 'a4', 'b1', 'b2']) ask(name)
  expect(entered).toEqual(['a1', 'a2', 'a3', 'b1'])
})

test('callers take turns for the places that become free', async () => {
  const { ask, entered } = open({ places: 1 })
  const leave: Record<string, () => void> = {}
  const names = ['a1', 'a2', 'a3', 'a4', 'b1', 'c1', 'c2']
  for (const name of names) leave[name] = ask(name)
  for (let turn = 0; turn < names.length; turn++) {
    leave[entered.at(-1)!]!()
    await placesGivenBack()
  }
  expect(entered).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'c2', 'a4'])
})

test('a batch takes as many places as it has calls', async () => {
  const { ask, entered } = open({ perCaller: 100 })
  const leaveBatch = ask('a batch', 10)
  ask('b1')
  expect(entered).toEqual(['a batch'])
  leaveBatch()
  leaveBatch()
  await placesGivenBack()
  for (const name of ['b2', 'b3', 'b4', 'b5']) ask(name)
  expect(entered).toEqual(['a batch', 'b1', 'b2', 'b3', 'b4'])
})

test('who leaves the line no longer counts, and does not enter', async () => {
  const { ask, entered, refused } = open({ places: 1, waiting: 1 })
  const leave = ask('a1')
  ask('a2')()
  ask('b1')
  leave()
  await placesGivenBack()
  expect([entered, refused]).toEqual([['a1', 'b1'], []])
})

test('when too many wait, the last of the caller who has most is refused', () => {
  const { ask, refused } = open({ places: 1, waiting: 4 })
  for (const name of ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1']) ask(name)
  expect(refused).toEqual(['a4', 'a3'])
})

test('ten thousand requests that are answered at once do not let each other in within one call', async () => {
  const places = createFairPlaces({ places: 1, perCaller: 1, waiting: 10_000 })
  let entered = 0
  for (let index = 0; index < 10_000; index++) {
    const request = {
      caller: 'a',
      places: 1,
      enter: () => {
        entered++
        queueMicrotask(() => places.leave(request))
      },
      refuse: () => {},
    }
    places.ask(request)
  }
  while (entered < 10_000) await placesGivenBack()
  expect(entered).toBe(10_000)
})
