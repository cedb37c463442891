import { setImmediate as endOfTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { shareLookups, shareReads } from './shared-reads.ts'

const source = {}

/** A read that counts how often it runs, of a text that may change. */
function countedRead() {
  const counted = { runs: 0, text: 'first' }
  const read = shareReads(
    async (_: object, key: string) => {
      counted.runs++
      return `${counted.text} ${key}`
    },
    (key) => key,
  )
  return { counted, read }
}

test('equal reads that begin together share one query', async () => {
  const { counted, read } = countedRead()
  expect(await Promise.all([read(source, 'a'), read(source, 'a'), read(source, 'a')])).toEqual([
    'first a',
    'first a',
    'first a',
  ])
  expect(counted.runs).toBe(1)
})

test('a read that begins after a change sees it, even while a former read runs', async () => {
  let text = 'old'
  const running = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const started: string[] = []
  const read = shareReads(
    async () => {
      const seen = text
      await running[started.push(seen) - 1]!.promise
      return seen
    },
    () => '',
  )
  const former = read(source, undefined)
  await expect.poll(() => started).toEqual(['old'])
  text = 'new'
  const later = read(source, undefined)
  await expect.poll(() => started).toEqual(['old', 'new'])
  for (const { resolve } of running) resolve()
  expect(await Promise.all([former, later])).toEqual(['old', 'new'])
})

test('reads that begin one after another share a query every few milliseconds', async () => {
  const { counted, read } = countedRead()
  const reads: Promise<string>[] = []
  const begun = performance.now()
  for (let turn = 0; turn < 500; turn++) {
    reads.push(read(source, 'a'))
    await endOfTurn()
  }
  await Promise.all(reads)
  const passed = performance.now() - begun
  // A timer may be early by almost a millisecond.
  expect(counted.runs).toBeLessThanOrEqual(2 + passed / 4)
})

test('a read that failed fails for those who shared it, and the next one is tried again', async () => {
  let runs = 0
  const read = shareReads(
    async () => {
      if (runs++ === 0) throw new Error('The database is gone')
      return 'back'
    },
    () => '',
  )
  const outcomes = await Promise.allSettled([read(source, undefined), read(source, undefined)])
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await read(source, undefined)).toBe('back')
})

test('lookups of different keys that begin together share one query', async () => {
  const asked: string[][] = []
  const find = shareLookups(async (_: object, keys: string[]) => {
    asked.push(keys)
    return new Map(keys.filter((key) => key.startsWith('known')).map((key) => [key, `found ${key}`]))
  })
  const look = (key: string) => find(source, key)
  expect(await Promise.all(['known 1', 'other', 'known 2', 'other'].map(look))).toEqual([
    'found known 1',
    undefined,
    'found known 2',
    undefined,
  ])
  expect(await look('known 3')).toBe('found known 3')
  expect(asked).toEqual([['known 1', 'other', 'known 2'], ['known 3']])
})
