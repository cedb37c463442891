import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import type { Slots } from './quota-queries.ts'
import { createQuotaStore, type QuotaStore } from './quota-store.ts'

let database: TestDatabase
let now: number
let store: QuotaStore

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database?.drop())
beforeEach(async () => {
  await database.db.deleteFrom('lane_rates').execute()
  // Later than the row, which is made by the database's own clock.
  now = Date.now() + 60_000
  store = createQuotaStore(database.db, () => new Date(now))
})

const UNCHANGED = { growth: 0, ceiling: undefined }
async function take(wanted: number, change: { growth?: number; ceiling?: number } = {}): Promise<Slots> {
  const slots = await store.take('index', { wanted, change: { ...UNCHANGED, ...change } })
  return slots!
}
const timesOf = ({ permits, firstInMs, rate }: Slots) =>
  Array.from({ length: permits }, (_, count) => now + firstInMs + (count * 1000) / rate)

describe('permits in Postgres', () => {
  /** So many processes, each of which asks when its permits are used up, as the governor does.
   *  @returns the times of the permits of each */
  async function simulate(demands: number[], seconds: number): Promise<number[][]> {
    const end = now + seconds * 1000
    const processes = demands.map((wanted) => ({ wanted, asksAt: now, times: [] as number[] }))
    while (now < end) {
      for (const one of processes.filter(({ asksAt }) => asksAt <= now)) {
        one.times.push(...timesOf(await take(one.wanted)))
        one.asksAt = one.times.at(-1)!
      }
      now = Math.min(...processes.map(({ asksAt }) => asksAt))
    }
    return processes.map(({ times }) => times.filter((at) => at < end))
  }

  test.each([2, 3])('are shared evenly by %i processes, which together keep to the rate', async (count) => {
    await store.open('index', 50)
    const times = await simulate(Array(count).fill(100), 10)
    const all = times.flat().sort((one, other) => one - other)
    expect(all.length).toBeGreaterThan(490)
    expect(all.length).toBeLessThanOrEqual(517)
    for (const own of times) expect(own.length / (all.length / count)).toBeGreaterThan(0.8)
    // A second has at most its 50 permits. The first one may also have the 15 of the 0.3 s before it.
    for (const [index, at] of all.entries()) expect((all[index + 65] ?? Infinity) - at).toBeGreaterThan(1000)
    const later = all.slice(15)
    for (const [index, at] of later.entries())
      expect((later[index + 51] ?? Infinity) - at).toBeGreaterThan(1000)
  })

  test('go to those who want many, as long as others want few', async () => {
    await store.open('index', 50)
    const [many, few] = await simulate([100, 1], 10)
    expect(many!.length + few!.length).toBeGreaterThan(480)
    expect(few!.length).toBeGreaterThan(10)
    expect(many!.length).toBeGreaterThan(400)
  })

  test('that a dead process has taken delay others by a second at most', async () => {
    await store.open('index', 50)
    for (let process = 0; process < 2; process++) await take(100)
    const next = await take(100)
    expect(next.firstInMs).toBeGreaterThan(0)
    expect(next.firstInMs).toBeLessThanOrEqual(1000)
    now += 1000
    expect((await take(100)).firstInMs).toBeLessThanOrEqual(0)
  })

  test('do not pile up while nobody calls', async () => {
    await store.open('index', 50)
    now += 3_600_000
    const { permits, firstInMs } = await take(1000)
    expect(firstInMs).toBeGreaterThanOrEqual(-300)
    expect(permits).toBeLessThanOrEqual(10)
  })

  test('are handed out one to each when many processes ask at once, no time twice', async () => {
    await store.open('index', 5)
    const taken = await Promise.all(Array.from({ length: 20 }, () => take(10)))
    const times = taken.flatMap(timesOf).sort((one, other) => one - other)
    for (const [index, at] of times.entries())
      expect((times[index + 1] ?? Infinity) - at).toBeGreaterThan(199)
  })

  test('come faster with growth, and never faster than the ceiling of a refusal', async () => {
    await store.open('index', 50)
    expect(await take(5, { growth: 10 })).toMatchObject({ rate: 60, isMet: false })
    expect(await take(5, { growth: 10, ceiling: 30 })).toMatchObject({ rate: 30, isMet: true })
    // Another process reports calls that were sent before the rate fell.
    expect(await take(5, { growth: 1, ceiling: 57 })).toMatchObject({ rate: 31, isMet: true })
    expect(await take(5, { growth: -100 })).toMatchObject({ rate: 1 })
  })

  test('keep their rate through a restart, and start again with another first rate', async () => {
    await store.open('index', 5)
    await take(1, { growth: 35 })
    await store.open('index', 5)
    expect((await take(1)).rate).toBe(40)
    await store.open('index', 20)
    expect((await take(1)).rate).toBe(20)
  })
})
