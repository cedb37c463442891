import { expect, test } from 'vitest'
import { periodsOf } from './periods.ts'

const counts = { searched: 0, noFace: 0, nothing: 0, takenHome: 0, letters: 0 }
const hour = (iso: string, entered: number, found = 0) => ({ hour: iso, ...counts, entered, found })

test('an evening is shown by hour, with the hours in which nothing happened', () => {
  const { isDaily, periods } = periodsOf([
    hour('2026-06-20T18:00:00.000Z', 5, 4),
    hour('2026-06-20T21:00:00.000Z', 1),
  ])
  expect(isDaily).toBe(false)
  expect(periods.map(({ entered, found }) => [entered, found])).toEqual([
    [5, 4],
    [0, 0],
    [0, 0],
    [1, 0],
  ])
})

test('more than two days are shown by day, a year as its last three months', () => {
  const days = periodsOf([
    hour('2026-06-20T12:00:00.000Z', 5),
    hour('2026-06-20T13:00:00.000Z', 2),
    hour('2026-06-24T12:00:00.000Z', 1),
  ])
  expect(days.isDaily).toBe(true)
  expect(days.periods.map(({ entered }) => entered)).toEqual([7, 0, 0, 0, 1])
  const year = periodsOf([hour('2026-01-01T12:00:00.000Z', 1), hour('2026-12-31T12:00:00.000Z', 2)])
  expect(year.periods).toHaveLength(92)
  expect(year.periods.at(-1)!.entered).toBe(2)
})

test('nothing is shown before the first guest', () => {
  expect(periodsOf([]).periods).toEqual([])
})
