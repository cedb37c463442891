import { afterEach, expect, test, vi } from 'vitest'
import { makeThumbnail } from './use-picture.ts'

afterEach(() => vi.unstubAllGlobals())

test('two photos are decoded at a time, also when some cannot be opened or are no longer wanted', async () => {
  const decoding = new Set<() => void>()
  vi.stubGlobal('createImageBitmap', () => {
    const { promise, reject } = Promise.withResolvers<never>()
    decoding.add(() => reject(new Error('This file is no picture')))
    return promise
  })
  const leaving = new AbortController()
  const add = () =>
    makeThumbnail(new File([], 'a.jpg'), 100, leaving.signal).catch((error: Error) => error.name)
  const made = [add(), add(), add(), add(), add(), add()]
  for (const started of [2, 2]) {
    await vi.waitFor(() => expect(decoding.size).toBe(started))
    for (const end of decoding) end()
    decoding.clear()
  }
  await vi.waitFor(() => expect(decoding.size).toBe(2))
  leaving.abort()
  made.push(add())
  for (const end of decoding) end()
  decoding.clear()
  expect(await Promise.all(made)).toEqual([...Array(6).fill('Error'), 'AbortError'])
  expect(decoding.size).toBe(0)
})
