import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createLog } from '../../log.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { createGovernor } from './governor.ts'
import { createQuotaStore } from './postgres-quota-store.ts'
import type { Lease, QuotaStore } from './quota-store.ts'
import { newLearned } from './rate.ts'

let database: TestDatabase
let now: number
let store: QuotaStore

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database?.drop())
beforeEach(async () => {
  await database.db.deleteFrom('request_rates').execute()
  // Later than the row, which is made by the database's own clock.
  now = Date.now() + 60_000
  store = createQuotaStore(database.db, () => new Date(now))
})

const NOTHING = { period: -1, answered: 0, throttled: 0 }
async function lease(wanted: number, more: Partial<Parameters<QuotaStore['lease']>[1]> = {}): Promise<Lease> {
  const leased = await store.lease('index', { wanted, report: NOTHING, lesson: undefined, ...more })
  return leased!
}
const timesOf = ({ permits, firstInMs, everyMs }: Lease) =>
  Array.from({ length: permits }, (_, count) => now + firstInMs + count * everyMs)

describe('permits in Postgres', () => {
  /** So many processes, each of which asks when its permits are used up, as the governor does.
   *  @returns the times of the permits of each */
  async function simulate(demands: number[], seconds: number): Promise<number[][]> {
    const end = now + seconds * 1000
    const processes = demands.map((wanted) => ({ wanted, asksAt: now, times: [] as number[] }))
    while (now < end) {
      for (const one of processes.filter(({ asksAt }) => asksAt <= now)) {
        one.times.push(...timesOf(await lease(one.wanted)))
        one.asksAt = one.times.at(-1)!
      }
      now = Math.min(...processes.map(({ asksAt }) => asksAt))
    }
    return processes.map(({ times }) => times.filter((at) => at < end))
  }

  test.each([2, 3])('are shared evenly by %i processes, which together keep to the rate', async (count) => {
    await store.open('index', newLearned(50))
    const times = await simulate(Array(count).fill(100), 10)
    const all = times.flat().sort((one, other) => one - other)
    expect(all.length).toBeGreaterThan(490)
    expect(all.length).toBeLessThanOrEqual(507)
    for (const own of times) expect(own.length / (all.length / count)).toBeGreaterThan(0.8)
    // In no second more than a second's worth, and what may be caught up.
    for (const [index, at] of all.entries()) expect((all[index + 55] ?? Infinity) - at).toBeGreaterThan(1000)
  })

  test('go to those who want many, as long as others want few', async () => {
    await store.open('index', newLearned(50))
    const [many, few] = await simulate([100, 1], 10)
    expect(many!.length + few!.length).toBeGreaterThan(480)
    expect(few!.length).toBeGreaterThan(10)
    expect(many!.length).toBeGreaterThan(400)
  })

  test('that a dead process has leased go by within a second', async () => {
    await store.open('index', newLearned(50))
    await lease(100)
    const next = await lease(100)
    expect(next.firstInMs).toBeGreaterThan(0)
    expect(next.firstInMs).toBeLessThanOrEqual(1000)
    now += 1000
    expect((await lease(100)).firstInMs).toBeLessThanOrEqual(0)
  })

  test('are handed out for a shorter time ahead until the quota is met', async () => {
    await store.open('index', newLearned(50))
    const first = await lease(100)
    expect(first.permits).toBeLessThanOrEqual(10)
    const lesson = { period: first.period, learned: { ...first.learned, step: 0.1 } }
    expect((await lease(100, { lesson })).permits).toBeGreaterThan(15)
  })

  test('do not pile up while nobody calls', async () => {
    await store.open('index', newLearned(50))
    now += 3_600_000
    const { permits, firstInMs } = await lease(1000)
    expect(firstInMs).toBeGreaterThanOrEqual(-100)
    expect(permits).toBeLessThanOrEqual(28)
  })

  test('are handed out one to each when many processes ask at once, no time twice', async () => {
    await store.open('index', newLearned(5))
    const leases = await Promise.all(Array.from({ length: 20 }, () => lease(10)))
    const times = leases.flatMap(timesOf).sort((one, other) => one - other)
    for (const [index, at] of times.entries())
      expect((times[index + 1] ?? Infinity) - at).toBeGreaterThan(199)
  })

  test('follow the reports of their own period, and a lesson once', async () => {
    const first = { ...newLearned(50), step: 0.1 }
    await store.open('index', first)
    const { period } = await lease(5)
    await lease(5, { report: { period, answered: 7, throttled: 1 } })
    now += 500
    const told = await lease(5, { report: { period: period - 1, answered: 9, throttled: 9 } })
    expect(told.sofar).toMatchObject({ granted: 15, answered: 7, throttled: 1 })
    expect(told.sofar.busySeconds).toBeGreaterThanOrEqual(0.5)

    const lesson = { period, learned: { ...first, rate: 25 } }
    const other = { period, learned: { ...first, rate: 99 } }
    const after = await lease(5, { lesson })
    expect(after).toMatchObject({ period: period + 1, everyMs: 40, learned: { rate: 25 } })
    expect(after.sofar).toEqual({ busySeconds: 0, granted: 5, answered: 0, throttled: 0 })
    expect(await lease(5, { lesson: other })).toMatchObject({ period: period + 1, learned: { rate: 25 } })
  })

  test('of one lane say nothing of another', async () => {
    await store.open('index', newLearned(50))
    await store.open('search', newLearned(5))
    for (let count = 0; count < 5; count++) await lease(100)
    const search = await store.lease('search', { wanted: 1, report: NOTHING, lesson: undefined })
    expect(search).toMatchObject({ permits: 1, learned: { rate: 5 } })
    expect(search!.firstInMs).toBeLessThanOrEqual(0)
  })

  test('are not there before their lane is opened', async () => {
    expect(await store.lease('manage', { wanted: 1, report: NOTHING, lesson: undefined })).toBeUndefined()
  })

  test('keep what was learned through a restart, and begin anew with another first rate', async () => {
    const first = newLearned(5)
    await store.open('index', first)
    const { period } = await lease(1)
    await lease(1, { lesson: { period, learned: { ...first, rate: 40 } } })
    await store.open('index', first)
    expect((await lease(1)).learned.rate).toBe(40)
    await store.open('index', newLearned(20))
    expect((await lease(1)).learned.rate).toBe(20)
  })
})

test('three governors on one database send no more together than the rate, and all get their turn', async () => {
  await database.db.deleteFrom('request_rates').execute()
  const governors = Array.from({ length: 3 }, () =>
    createGovernor({ store: createQuotaStore(database.db), rate: 100, log: createLog('silent') }),
  )
  const sent = governors.map((): number[] => [])
  // A hundred calls are too few to be told of before they are over, so the rate stays as it is.
  await Promise.all(
    governors.flatMap((governor, index) =>
      Array.from({ length: 33 }, () =>
        governor.run('index', async () => void sent[index]!.push(performance.now())),
      ),
    ),
  )
  const all = sent.flat().sort((one, other) => one - other)
  expect(all).toHaveLength(99)
  // 99 permits, 10 ms apart, but for those that may be caught up at the beginning.
  expect(all.at(-1)! - all[0]!).toBeGreaterThan(500)
  for (const own of sent) expect(own[0]! - all[0]!).toBeLessThan(900)
  await Promise.all(governors.map((governor) => governor.close()))
})
