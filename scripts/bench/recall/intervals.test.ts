import { expect, test } from 'vitest'
import { clusteredInterval, wilsonInterval } from './intervals.ts'

test('gives the interval of Wilson', () => {
  // 8 of 10, and 0 of 100, by the formula of the paper.
  expect(wilsonInterval({ hits: 8, of: 10 })).toEqual([expect.closeTo(0.4902, 4), expect.closeTo(0.9433, 4)])
  expect(wilsonInterval({ hits: 0, of: 100 })).toEqual([0, expect.closeTo(0.037, 4)])
})

test('says nothing about a share without a trial', () => {
  expect(wilsonInterval({ hits: 0, of: 0 })).toEqual([0, 1])
})

test('is wider when the pictures of a person succeed or fail together', () => {
  const alike = [...Array(9).fill({ hits: 50, of: 50 }), { hits: 0, of: 50 }]
  const mixed = Array(10).fill({ hits: 45, of: 50 })
  mixed[0] = { hits: 46, of: 50 }
  mixed[1] = { hits: 44, of: 50 }
  const widthOf = (clusters: { hits: number; of: number }[]) => {
    const [low, high] = clusteredInterval(clusters)!
    expect(low).toBeLessThanOrEqual(0.9)
    expect(high).toBeGreaterThanOrEqual(0.9)
    return high - low
  }
  const [low, high] = wilsonInterval({ hits: 450, of: 500 })
  expect(widthOf(alike)).toBeGreaterThan(2 * (high - low))
  expect(widthOf(mixed)).toBeLessThan(high - low)
})

test('is the same in every run', () => {
  const clusters = [1, 5, 9].map((hits) => ({ hits, of: 10 }))
  expect(clusteredInterval(clusters)).toEqual(clusteredInterval(clusters))
})

test('has no interval by person when all trials ended alike', () => {
  expect(
    clusteredInterval([
      { hits: 3, of: 3 },
      { hits: 2, of: 2 },
    ]),
  ).toBeUndefined()
  expect(clusteredInterval([{ hits: 0, of: 3 }])).toBeUndefined()
})
