import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import wabt from 'wabt'
import { randomNumbers } from '../../testing/rekognition/faults.ts'
import { DESCRIPTOR_LENGTH } from './descriptor-store.ts'
import { compiledModule, type Probe, type Rows, rowsNear } from './near-codes.ts'

const next = randomNumbers(7)
const codesOf = (count: number) =>
  Int8Array.from({ length: count * DESCRIPTOR_LENGTH }, () => Math.floor(next() * 256) - 128)

function rowsOf(count: number): Rows {
  return { count, codes: codesOf(count), errors: Float32Array.from({ length: count }, () => next() * 40) }
}

/** Probes that about a third of all rows are near. */
const probesOf = (count: number): Probe[] =>
  Array.from({ length: count }, () => ({ codes: codesOf(1), reach: 1_140 + next() * 40 }))

function isNear({ codes, errors }: Rows, row: number, probe: Probe): boolean {
  let sum = 0
  for (let i = 0; i < DESCRIPTOR_LENGTH; i++)
    sum += (codes[row * DESCRIPTOR_LENGTH + i]! - probe.codes[i]!) ** 2
  return Math.sqrt(sum) <= probe.reach + errors[row]!
}

test.each([
  { count: 9_000, probes: 1 },
  { count: 9_000, probes: 3 },
  // More than the memory holds at first.
  { count: 50, probes: 1_000 },
])(
  'of $count rows those are near that a plain loop finds near one of $probes probes',
  ({ count, probes }) => {
    const rows = rowsOf(count)
    const searched = probesOf(probes)
    const expected = Array.from({ length: count }, (_, row) => row).filter((row) =>
      searched.some((probe) => isNear(rows, row, probe)),
    )
    expect(expected.length).toBeGreaterThan(0)
    expect(rowsNear(rows, searched)).toEqual(expected)
  },
)

test('the compiled module is that of its text', async () => {
  const path = `${import.meta.dirname}/near-codes.wat`
  const { parseWat } = await wabt()
  const { buffer } = parseWat(path, await readFile(path, 'utf8')).toBinary({})
  expect(Buffer.from(buffer).toString('base64')).toBe(compiledModule)
})
