import { expect, test } from 'vitest'
import { createSelfiePace } from './selfie-pace.ts'

/** A pace with a clock that a test moves. */
function createPace(engines: number) {
  let time = 0
  const pace = createSelfiePace({ engines, now: () => time })
  return {
    pace,
    pass: (ms: number) => {
      time += ms
    },
    /** @returns what ends it */
    begin(): (error?: Error) => Promise<unknown> {
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      const answered = pace.measure(() => promise).catch(() => undefined)
      return (error) => {
        if (error) reject(error)
        else resolve()
        return answered
      }
    },
  }
}

test('before it was measured, less than half a second for each selfie and engine is expected', () => {
  const { pace, begin } = createPace(2)
  for (let selfie = 0; selfie < 15; selfie++) begin()
  expect(pace.secondsLeft()).toBe(3)
})

test('the pace is that of the answers while all engines work', async () => {
  const { pace, begin, pass } = createPace(2)
  const ends = Array.from({ length: 40 }, begin)
  for (const end of ends.slice(0, 30)) {
    pass(250)
    await end()
  }
  expect(pace.interval()).toBeCloseTo(250, 0)
  expect(pace.secondsLeft()).toBeCloseTo(2.5, 1)
})

test('an answer says nothing about the pace when it is the first, while an engine is free, or when it is a refusal', async () => {
  const { pace, begin, pass } = createPace(2)
  const [first, alone] = [begin(), begin()]
  pass(60_000)
  await first()
  pass(60_000)
  await alone()
  const refused = Array.from({ length: 5 }, begin)
  for (const end of refused) {
    pass(60_000)
    await end(new Error('No picture'))
  }
  expect(pace.interval()).toBe(200)
})

test('two selfies for each engine are let in however slow it was', async () => {
  const { pace, begin, pass } = createPace(2)
  const [first, slow, ...others] = Array.from({ length: 5 }, begin)
  await first!()
  pass(60_000)
  await slow!()
  for (const end of others) await end()
  begin()
  begin()
  begin()
  expect(pace.secondsLeft()).toBe(0)
  begin()
  expect(pace.secondsLeft()).toBeGreaterThan(30)
})
