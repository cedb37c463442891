import { expect, test } from 'vitest'
import { inParts } from './in-parts.ts'

test('gives the results of many items in their order', async () => {
  const items = Array.from({ length: 1_234 }, (_, index) => index)
  expect(await inParts(items, (item) => 2 * item)).toEqual(items.map((item) => 2 * item))
})

test('a few items are done at once', async () => {
  let othersRan = false
  const other = setImmediate(() => {
    othersRan = true
  })
  expect(await inParts([1, 2, 3], (item) => item + 1)).toEqual([2, 3, 4])
  expect(othersRan).toBe(false)
  clearImmediate(other)
})

test('an error ends the work', async () => {
  const done: number[] = []
  const failing = inParts([1, 2, 3], (item) => {
    if (item === 2) throw new Error('no')
    done.push(item)
  })
  await expect(failing).rejects.toThrow('no')
  expect(done).toEqual([1])
})
