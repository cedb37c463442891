import { expect, test } from 'vitest'
import { milestone, paceText, type Reading, withReading } from './pace.ts'

const MB = 1024 * 1024

/** The readings of an upload that has sent this many bytes by each time (ms). */
function readings(bytesAt: (at: number) => number, until: number, from: readonly Reading[] = [], start = 0) {
  let all = from
  for (let at = start; at <= until; at += 250) all = withReading(all, { bytes: bytesAt(at), at })
  return all
}
const steady = (at: number) => (at / 1000) * MB

test('the pace of a steady upload is known after a few seconds, as a speed and the time left', () => {
  expect(paceText(readings(steady, 3_000), 100 * MB)).toBeNull()
  expect(paceText(readings(steady, 4_000), 100 * MB)).toBe('1.0 MB/s · about 2 minutes left')
})

test('a pace stands for two seconds, so that one can read it', () => {
  const shown = readings(steady, 4_000)
  expect(withReading(shown, { bytes: 5 * MB, at: 5_000 })).toBe(shown)
  expect(withReading(shown, { bytes: 6 * MB, at: 6_000 })).not.toBe(shown)
})

test('bursts and pauses between batches hardly change the pace', () => {
  // Every 1.3 seconds: a batch of 2.6 MB in half a second, then a pause.
  const bursts = (at: number) => (Math.floor(at / 1300) + Math.min(1, (at % 1300) / 500)) * 2.6 * MB
  for (let until = 20_000; until <= 60_000; until += 250)
    expect(paceText(readings(bursts, until), 1000 * MB)).toMatch(/^(1\.[89]|2\.[012]) MB/)
})

test('when the network turns slow, the pace follows within half a minute', () => {
  const fast = readings((at) => 8 * steady(at), 60_000)
  const slow = readings((at) => 420 * MB + steady(at), 92_000, fast, 60_250)
  expect(paceText(slow, 1e12)).toMatch(/^1\.\d MB/)
})

test('while nothing gets further, as after a failed batch, there is no pace', () => {
  expect(
    paceText(
      [
        { bytes: 5 * MB, at: 0 },
        { bytes: 4 * MB, at: 4_000 },
      ],
      100 * MB,
    ),
  ).toBeNull()
})

test('a milestone comes after each tenth of the photos', () => {
  expect(milestone(0, 5000)).toBe('Uploading')
  expect(milestone(499, 5000)).toBe('Uploading')
  expect(milestone(1234, 5000)).toBe('20% of the photos uploaded')
  expect(milestone(5000, 5000)).toBe('100% of the photos uploaded')
})
