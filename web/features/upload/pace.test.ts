import { expect, test } from 'vitest'
import { createPaceMeter, milestone, paceText } from './pace.ts'

const MB = 1024 * 1024

test('the pace of a steady upload is its speed, known after three seconds', () => {
  const meter = createPaceMeter()
  const readings = [0, 1, 2, 3, 4].map((second) => meter.read(second * MB, 100 * MB, second * 1000))
  expect(readings.slice(0, 3)).toEqual([null, null, null])
  expect(readings[4]).toEqual({ bytesPerSecond: MB, secondsLeft: 96 })
})

test('bursts and pauses between batches hardly change the pace', () => {
  const meter = createPaceMeter()
  const speeds: number[] = []
  // Every two seconds: a batch of 4 MB in half a second, then a pause.
  for (let at = 0; at <= 60_000; at += 250) {
    const inBatch = Math.min(1, (at % 2000) / 500)
    const pace = meter.read((Math.floor(at / 2000) + inBatch) * 4 * MB, 1000 * MB, at)
    if (pace && at > 20_000) speeds.push(pace.bytesPerSecond / MB)
  }
  expect(Math.min(...speeds)).toBeGreaterThan(1.7)
  expect(Math.max(...speeds)).toBeLessThan(2.4)
})

test('when the network turns slow, the pace follows within half a minute', () => {
  const meter = createPaceMeter()
  let pace = null
  for (let second = 0; second <= 60; second++) pace = meter.read(second * 8 * MB, 1e12, second * 1000)
  for (let second = 1; second <= 30; second++)
    pace = meter.read((480 + second) * MB, 1e12, (60 + second) * 1000)
  expect(pace!.bytesPerSecond / MB).toBeLessThan(2)
})

test('the bytes of a failed batch do not make the speed negative, and time spent waiting does not count', () => {
  const meter = createPaceMeter()
  for (let second = 0; second <= 10; second++) meter.read(second * MB, 100 * MB, second * 1000)
  expect(meter.read(5 * MB, 100 * MB, 10_250)!.bytesPerSecond).toBeGreaterThan(0.9 * MB)
  meter.skip()
  const after = meter.read(5 * MB, 100 * MB, 500_000)!
  expect(after.bytesPerSecond).toBeGreaterThan(0.9 * MB)
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
