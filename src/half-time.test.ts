import { expect, test } from 'vitest'
import { createHalfTime } from './half-time.ts'

/** A clock that a step or a pause moves on. */
function fakeClock() {
  const clock = {
    time: 0,
    pauses: [] as number[],
    now: () => clock.time,
    async pause(ms: number) {
      clock.pauses.push(ms)
      clock.time += ms
    },
    /** A step of so many ms. */
    step: (ms: number) => async () => {
      clock.time += ms
      return ms
    },
  }
  return clock
}

test('a slow step is followed by a pause of the same length', async () => {
  const clock = fakeClock()
  const run = createHalfTime(clock)
  expect(await run(clock.step(400))).toBe(400)
  expect(clock.pauses).toEqual([400])
})

test('quick steps share a pause', async () => {
  const clock = fakeClock()
  const run = createHalfTime(clock)
  for (let steps = 0; steps < 100; steps++) await run(clock.step(0.5))
  expect(clock.pauses).toEqual(Array(10).fill(5))
  expect(clock.time).toBe(100)
})
