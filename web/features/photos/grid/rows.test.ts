import { expect, test } from 'vitest'
import { type Place, placeInRows } from './rows.ts'

const WIDE = { columns: 4, width: 1_000, gap: 10 }

const rounded = (places: Place[]) =>
  places.map(({ top, left, width, height }) => [top, left, width, height].map(Math.round))
const rowsOf = (places: Place[]) => [...Map.groupBy(places, ({ top }) => top).values()]

test('each photo keeps its shape, and each row but the last is as wide as the grid', () => {
  const shapes = Array.from({ length: 50 }, (_, index) => [4 / 3, 3 / 4, 16 / 9, 1, 9 / 16][index % 5]!)
  const places = placeInRows(shapes, WIDE)
  for (const [index, { width, height }] of places.entries())
    expect(width / height).toBeCloseTo(shapes[index]!)
  const rows = rowsOf(places)
  for (const row of rows) expect(row.length).toBeLessThanOrEqual(4)
  for (const row of rows.slice(0, -1)) expect(row.at(-1)!.left + row.at(-1)!.width).toBeCloseTo(1_000)
  for (const [index, row] of rows.slice(1).entries())
    expect(row[0]!.top).toBeCloseTo(rows[index]![0]!.top + rows[index]![0]!.height + 10)
})

test('a row of wide photos has fewer of them, and a panorama has a row of its own', () => {
  const places = placeInRows([4, 3 / 2, 3 / 2, 4 / 3, 1, 3], { columns: 2, width: 610, gap: 10 })
  expect(rowsOf(places).map((row) => row.length)).toEqual([1, 2, 2, 1])
})

test('one column gives each photo the whole width', () => {
  expect(rounded(placeInRows([4 / 3, 1 / 2], { columns: 1, width: 400, gap: 10 }))).toEqual([
    [0, 0, 400, 300],
    [310, 0, 400, 800],
  ])
})

test('the last row is as high as the others, and only a photo of an extreme shape is cut', () => {
  const places = placeInRows([1, 1, 1, 1, 1, 0.1], WIDE)
  expect(rounded(places.slice(4))).toEqual([
    [253, 0, 243, 243],
    [253, 253, 61, 243],
  ])
  expect(rounded(placeInRows([1], WIDE))).toEqual([[0, 0, 182, 182]])
  expect(placeInRows([], WIDE)).toEqual([])
})
