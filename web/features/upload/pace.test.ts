import { expect, test } from 'vitest'
import { milestone, NO_PACE, observed, type PaceMeter, paceText, paused } from './pace.ts'

const MB = 1024 * 1024

/** The meter after these readings: the bytes that are sent, at a time in ms. */
function readings(all: [bytesSent: number, at: number][], bytesTotal: number, from = NO_PACE): PaceMeter {
  return all.reduce((meter, [bytesSent, at]) => observed(meter, { bytesSent, bytesTotal }, at), from)
}

const eachSecond = (seconds: number): [number, number][] =>
  Array.from({ length: seconds + 1 }, (_, second) => [second * MB, second * 1000])

test('the pace of a steady upload is its speed, known after three seconds', () => {
  expect(readings(eachSecond(2), 100 * MB).shown).toBeNull()
  expect(readings(eachSecond(3), 100 * MB).shown).toEqual({ bytesPerSecond: MB, secondsLeft: 97 })
})

test('a pace stands for two seconds, so that one can read it', () => {
  expect(readings(eachSecond(4), 100 * MB).shown?.secondsLeft).toBe(97)
  expect(readings(eachSecond(5), 100 * MB).shown?.secondsLeft).toBeCloseTo(95)
})

test('bursts and pauses between batches hardly change the pace', () => {
  let meter = NO_PACE
  const speeds: number[] = []
  // Every two seconds: a batch of 4 MB in half a second, then a pause.
  for (let at = 0; at <= 60_000; at += 250) {
    const inBatch = Math.min(1, (at % 2000) / 500)
    meter = readings([[(Math.floor(at / 2000) + inBatch) * 4 * MB, at]], 1000 * MB, meter)
    if (meter.shown && at > 20_000) speeds.push(meter.shown.bytesPerSecond / MB)
  }
  expect(Math.min(...speeds)).toBeGreaterThan(1.7)
  expect(Math.max(...speeds)).toBeLessThan(2.4)
})

test('when the network turns slow, the pace follows within half a minute', () => {
  let meter = NO_PACE
  for (let second = 0; second <= 60; second++)
    meter = readings([[second * 8 * MB, second * 1000]], 1e12, meter)
  for (let second = 1; second <= 30; second++)
    meter = readings([[(480 + second) * MB, (60 + second) * 1000]], 1e12, meter)
  expect(meter.shown!.bytesPerSecond / MB).toBeLessThan(2)
})

test('the bytes of a failed batch do not make the speed negative, and time spent waiting does not count', () => {
  const before = readings([...eachSecond(10), [5 * MB, 11_250]], 100 * MB)
  expect(before.shown!.bytesPerSecond).toBeGreaterThan(0.8 * MB)
  const after = readings([[5 * MB, 500_000]], 100 * MB, paused(before))
  expect(after.shown!.bytesPerSecond).toBe(before.shown!.bytesPerSecond)
})

test('a pace reads as a speed and the time left', () => {
  const pace = { bytesPerSecond: 2.449 * MB, secondsLeft: 61 }
  expect(paceText(pace)).toBe('2.4 MB/s · about 2 minutes left')
})

test('a milestone comes after each tenth of the photos', () => {
  expect(milestone(0, 5000)).toBe('Uploading')
  expect(milestone(499, 5000)).toBe('Uploading')
  expect(milestone(1234, 5000)).toBe('20% of the photos uploaded')
  expect(milestone(5000, 5000)).toBe('100% of the photos uploaded')
})
