import { describe, expect, test } from 'vitest'
import { isTelling, type Learned, learn, newLearned, type Period } from './rate.ts'

/** A period of a service that lets `quota` calls a second through, and throttles a share of the others' anyway. */
function periodAt(rate: number, quota: number, usual = 0, seconds = 10): Period {
  const sent = Math.round(rate * seconds)
  const answered = Math.round(Math.min(rate * (1 - usual), quota) * seconds)
  return { busySeconds: seconds, granted: sent, answered, throttled: sent - answered }
}

/** The lane after so many periods, and the rates on the way. */
function learnFor(periods: number, learned: Learned, service: (rate: number) => Period) {
  const rates: number[] = []
  for (let count = 0; count < periods; count++) {
    learned = learn(learned, service(learned.rate))
    rates.push(learned.rate)
  }
  return { learned, rates }
}

const known = (rate: number): Learned => ({ rate, step: 0.01, usual: 0, seen: 300, before: null })

describe('the learned request rate', () => {
  test('grows fourfold from its beginning until the quota is met for the first time', () => {
    const { rates } = learnFor(3, newLearned(5), (rate) => periodAt(rate, 50))
    expect(rates).toEqual([20, 80, expect.closeTo(0.97 * 50)])
  })

  test('falls to just below what was let through when it is throttled', () => {
    const cut = learn(known(80), periodAt(80, 50))
    expect(cut.rate).toBeCloseTo(0.97 * 50, 1)
  })

  test('grows in small, growing steps after a cut', () => {
    const { rates } = learnFor(4, known(40), (rate) => periodAt(rate, 500))
    expect(rates.map((rate, at) => rate / (rates[at - 1] ?? 40))).toEqual([
      expect.closeTo(1.01),
      expect.closeTo(1.02),
      expect.closeTo(1.04),
      expect.closeTo(1.08),
    ])
  })

  test('is cut once by a burst: the period after a cut only tells whether that helped', () => {
    const cut = learn(known(80), periodAt(80, 50))
    const after = learn(cut, periodAt(cut.rate, 50))
    expect(after.rate).toBeCloseTo(cut.rate, 1)
    expect(after.before).toBeNull()
  })

  test('is cut again when throttling grows worse after a cut', () => {
    // At first the service lets a burst pass, and the quota seems to be larger than it is.
    const cut = learn(known(80), { busySeconds: 5, granted: 400, answered: 380, throttled: 20 })
    expect(cut.rate).toBeGreaterThan(70)
    const again = learn(cut, periodAt(cut.rate, 50))
    expect(again.rate).toBeLessThanOrEqual(50)
  })

  test('stays within a few percent of the quota and is hardly ever throttled', () => {
    for (const quota of [5, 50, 500]) {
      const { learned } = learnFor(20, newLearned(5), (rate) => periodAt(rate, quota))
      let [used, throttled, sent] = [0, 0, 0]
      learnFor(200, learned, (rate) => {
        const period = periodAt(rate, quota)
        used += period.answered / (quota * period.busySeconds)
        throttled += period.throttled
        sent += period.granted
        return period
      })
      expect(used / 200).toBeGreaterThan(0.97)
      expect(throttled / sent).toBeLessThan(0.1)
    }
  })

  test('does not starve where a fifth of the calls is throttled at any rate', () => {
    for (const quota of [5, 50]) {
      let used = 0
      const service = (rate: number) => periodAt(rate, quota, 0.2)
      const { learned } = learnFor(20, newLearned(5), service)
      learnFor(200, learned, (rate) => {
        const period = service(rate)
        used += period.answered / (quota * period.busySeconds)
        return period
      })
      expect(used / 200).toBeGreaterThan(0.95)
    }
  })

  test('takes a cut back that changed nothing', () => {
    const cut = learn(known(20), periodAt(20, 50, 0.2))
    expect(cut.rate).toBeLessThan(17)
    const after = learnFor(3, cut, (rate) => periodAt(rate, 50, 0.2)).learned
    expect(after.usual).toBeGreaterThan(0.02)
    expect(learnFor(12, after, (rate) => periodAt(rate, 50, 0.2)).learned.rate).toBeGreaterThan(20)
  })

  test('is halved while everything is refused, never below one a second, and is soon back', () => {
    const refused = (rate: number): Period => ({ ...periodAt(rate, 0), answered: 0 })
    const { rates, learned } = learnFor(8, known(50), refused)
    expect(rates.slice(0, 3)).toEqual([25, 12.5, 6.25])
    expect(rates.at(-1)).toBe(1)
    const again = learnFor(5, learned, (rate) => periodAt(rate, 50)).rates
    expect(again[0]).toBe(25)
    expect(again.at(-1)).toBeGreaterThan(45)
  })

  test('finds a quota that was raised, and one that was lowered', () => {
    const { learned } = learnFor(30, newLearned(5), (rate) => periodAt(rate, 5))
    const raised = learnFor(15, learned, (rate) => periodAt(rate, 50)).learned
    expect(raised.rate).toBeGreaterThan(45)
    const lowered = learnFor(6, raised, (rate) => periodAt(rate, 5)).learned
    expect(lowered.rate).toBeLessThan(8)
  })

  test('does not grow by what nobody uses', () => {
    const idle = { busySeconds: 60, granted: 60, answered: 60, throttled: 0 }
    expect(learn(known(5), idle).rate).toBe(5)
  })

  test('is judged sooner until the quota is met', () => {
    const of = (answered: number, throttled: number) => ({ busySeconds: 1, granted: 50, answered, throttled })
    expect(isTelling(newLearned(5), of(4, 0))).toBe(false)
    expect(isTelling(newLearned(5), of(5, 0))).toBe(true)
    expect(isTelling(newLearned(5), of(8, 1))).toBe(false)
    expect(isTelling(newLearned(5), of(9, 1))).toBe(true)
    // Not sooner than a second: a burst is let through that is no rate.
    expect(isTelling(newLearned(80), of(79, 0))).toBe(false)
  })

  test('is judged by a second of calls, and by more when some were throttled', () => {
    const of = (answered: number, throttled: number) => ({ busySeconds: 1, granted: 50, answered, throttled })
    expect(isTelling(known(5), of(9, 0))).toBe(false)
    expect(isTelling(known(5), of(10, 0))).toBe(true)
    expect(isTelling(known(50), of(49, 0))).toBe(false)
    expect(isTelling(known(5), of(30, 9))).toBe(false)
    expect(isTelling(known(5), of(30, 10))).toBe(true)
    expect(isTelling(known(1), of(0, 5))).toBe(true)
  })
})
