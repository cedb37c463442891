import { expect, test } from 'vitest'
import { randomNumbers } from '../../../testing/synthetic-people.ts'
import { limitsOfAlbum } from './album-limits.ts'
import { matchLimits } from './match-limits.ts'

const EVENT = { pairs: 500, median: 0.8, deviation: 0.085 }
const PARTY = { pairs: 500, median: 0.7, deviation: 0.085 }

test('fewer than one stranger is expected to be sure in a hundred searches', () => {
  const next = randomNumbers()
  const normal = () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next())
  const faces = 200
  const { sure, nonMates } = matchLimits(faces, EVENT)
  const searches = 20_000
  let shown = 0
  for (let comparison = 0; comparison < searches * faces; comparison++)
    if (nonMates + EVENT.deviation * normal() <= sure) shown++
  expect(shown).toBeGreaterThan(0.005 * searches)
  expect(shown).toBeLessThan(0.013 * searches)
})

test('the more faces an album has, the closer a face must be', () => {
  const limits = [100, 5_000, 50_000].map((faces) => matchLimits(faces, EVENT))
  expect(limits[0]!.sure).toBeGreaterThan(limits[1]!.sure)
  expect(limits[1]!.sure).toBeGreaterThan(limits[2]!.sure)
  expect(limits[0]!.possible).toBeGreaterThan(limits[2]!.possible)
})

test('the more alike the people of an album are, the closer a face must be', () => {
  expect(matchLimits(100, PARTY).sure).toBeLessThan(matchLimits(100, EVENT).sure)
})

test('the limits stay where some recognition is left, whatever the album is like', () => {
  const alike = matchLimits(1_000_000, { pairs: 500, median: 0.5, deviation: 0.1 })
  expect(alike).toMatchObject({ sure: 0.4, possible: 0.52 })
  for (const faces of [0, 1, 2])
    expect(matchLimits(faces, { pairs: 500, median: 1.2, deviation: 0.05 })).toMatchObject({
      sure: 0.55,
      possible: 0.62,
    })
})

test('the reach is beyond what is possible, but not so far that a search looks at very many strangers', () => {
  const small = matchLimits(500, EVENT)
  expect(small.reach).toBeCloseTo(small.possible + 0.1, 9)
  const large = matchLimits(500_000, EVENT)
  expect(large.reach).toBeGreaterThan(large.possible)
  expect(large.reach).toBeLessThan(large.possible + 0.1)
  const alike = matchLimits(500_000, { pairs: 500, median: 0.6, deviation: 0.085 })
  expect(alike.reach).toBe(alike.possible)
})

test('among children a face must be closer, whatever the installation says', () => {
  const sureIn = (faces: number, threshold?: number) => limitsOfAlbum({ faces }, threshold, true).sure
  for (const threshold of [undefined, 80]) expect(sureIn(20, threshold)).toBeCloseTo(0.394, 3)
  expect(sureIn(20, 98)).toBeCloseTo(0.3, 5)
  expect(limitsOfAlbum({ faces: 20 }, undefined, true).possible).toBe(matchLimits(20).possible)
})
