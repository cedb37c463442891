import { afterEach, expect, test, vi } from 'vitest'
import { makeThumbnail } from './thumbnail.ts'

afterEach(() => vi.unstubAllGlobals())

test('two photos are decoded at a time, whenever another one is added', async () => {
  const decoding = new Set<() => void>()
  let most = 0
  vi.stubGlobal('createImageBitmap', () => {
    const { promise, reject } = Promise.withResolvers<never>()
    const end = () => {
      decoding.delete(end)
      reject(new Error('This file is no picture'))
    }
    decoding.add(end)
    most = Math.max(most, decoding.size)
    return promise
  })
  const made: Promise<unknown>[] = []
  const add = () => {
    made.push(makeThumbnail(new File([], 'a.jpg'), 100, new AbortController().signal).catch(() => {}))
  }
  for (let count = 0; count < 4; count++) add()
  decoding.values().next().value!()
  // One of these steps is between the end of the first photo and the start of the next.
  for (let step = 0; step < 10; step++) {
    await null
    add()
  }
  while (decoding.size > 0) {
    for (const end of decoding) end()
    await new Promise(setImmediate)
  }
  await Promise.all(made)
  expect(made).toHaveLength(14)
  expect(most).toBe(2)
})
