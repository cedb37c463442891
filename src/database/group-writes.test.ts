import { expect, test } from 'vitest'
import { groupWrites } from './group-writes.ts'

const source = {}

/** Writes that wait for a signal. An item's key is its first letter. An item with a question mark fails. */
function heldWrites() {
  const groups: string[][] = []
  const signals: (() => void)[] = []
  const write = groupWrites(
    async (_: object, items: string[]) => {
      const { promise, resolve } = Promise.withResolvers<void>()
      groups.push(items)
      signals.push(resolve)
      await promise
      const wrong = items.filter((item) => item.endsWith('?'))
      if (wrong.length > 0) throw new Error(`${wrong.join(' and ')} cannot be written`)
    },
    (item) => item.slice(0, 1),
  )
  return {
    groups,
    write: (item: string, from = source) => write(from, item),
    /** Lets the next groups end, in the order in which they began. */
    async end(count = 1) {
      for (let ended = 0; ended < count; ended++) {
        await expect.poll(() => signals.length).toBeGreaterThan(0)
        signals.shift()!()
      }
    },
  }
}

test('the first write begins at once, and those that come meanwhile form the next group', async () => {
  const { groups, write, end } = heldWrites()
  const first = write('a1')
  await expect.poll(() => groups).toEqual([['a1']])
  const others = [write('a2'), write('a3')]
  await end()
  await first
  await expect.poll(() => groups).toEqual([['a1'], ['a2', 'a3']])
  await end()
  await Promise.all(others)
})

test('writes that begin in the same turn go together', async () => {
  const { groups, write, end } = heldWrites()
  const all = Promise.all([write('a1'), write('a2')])
  await end()
  await all
  expect(groups).toEqual([['a1', 'a2']])
})

test('a write returns when its own group is written, and not earlier', async () => {
  const { write, end } = heldWrites()
  const returned: string[] = []
  const first = write('a1').then(() => returned.push('a1'))
  const second = Promise.resolve().then(async () => {
    await first
    expect(returned).toEqual(['a1'])
  })
  await end()
  await second
  const later = write('a2').then(() => returned.push('a2'))
  await end()
  await later
  expect(returned).toEqual(['a1', 'a2'])
})

test('writes of another key or another source wait for nobody', async () => {
  const { groups, write, end } = heldWrites()
  const all = Promise.all([write('a1'), write('b1'), write('a2', {})])
  await expect.poll(() => groups).toEqual([['a1'], ['b1'], ['a2']])
  await end(3)
  await all
})

test('an item that cannot be written fails alone', async () => {
  const { groups, write, end } = heldWrites()
  const outcomes = Promise.allSettled([write('a1'), write('a2?'), write('a3')])
  await end(4)
  expect(await outcomes).toEqual([
    { status: 'fulfilled' },
    { status: 'rejected', reason: new Error('a2? cannot be written') },
    { status: 'fulfilled' },
  ])
  expect(groups).toEqual([['a1', 'a2?', 'a3'], ['a1'], ['a2?'], ['a3']])
  const later = write('a4')
  await end()
  await later
})

test('a group has at most 20 items', async () => {
  const { groups, write, end } = heldWrites()
  const all = Promise.all(Array.from({ length: 45 }, (_, number) => write(`a${number}`)))
  await end(3)
  await all
  expect(groups.map((group) => group.length)).toEqual([20, 20, 5])
})
