import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createLog } from '../../log.ts'
import { useFakeClock } from '../../testing/fake-clock.ts'
import { createMemoryQuotaStore } from '../../testing/rekognition/memory-quota-store.ts'
import { createGovernor, pauseMs, type QuotaGovernor } from './governor.ts'
import type { SlotRequest } from './quota-queries.ts'
import type { QuotaStore } from './quota-store.ts'

vi.mock('node:timers/promises', async () => ({
  setTimeout: (await import('../../testing/fake-clock.ts')).pause,
}))

let governor: QuotaGovernor
let asked: SlotRequest[]

beforeEach(() => {
  useFakeClock()
  asked = []
})
afterEach(async () => {
  await governor.close()
  vi.useRealTimers()
  vi.restoreAllMocks()
})

/** A store that keeps every lane at the rate it was opened with. */
function steadyStore(): QuotaStore {
  const store = createMemoryQuotaStore()
  return {
    open: store.open,
    take(lane, request) {
      asked.push(request)
      return store.take(lane, { ...request, change: { growth: 0, ceiling: undefined } })
    },
  }
}

function start(rate: number, store = steadyStore(), random = () => 1): void {
  governor = createGovernor({ store, rate, log: createLog('silent'), random })
}

const fault = (name: string) => Object.assign(new Error('No'), { name })
const busy = { code: 'SERVICE_UNAVAILABLE', retryAfter: 5 }

describe('the governor', () => {
  test('sends calls in their order, no faster than the rate, and rarely asks the store', async () => {
    start(10)
    const order: number[] = []
    for (let number = 0; number < 50; number++)
      void governor.run('index', async () => void order.push(number))
    await vi.advanceTimersByTimeAsync(2_000)
    expect(order.length).toBeGreaterThanOrEqual(19)
    expect(order.length).toBeLessThanOrEqual(22)
    expect(order).toEqual(order.toSorted((one, other) => one - other))
    // Each request to the store gives two permits. Only the first two give one together, because they open the lane.
    expect(asked.length).toBeLessThanOrEqual(order.length / 2 + 3)
    expect(governor.figures().index).toMatchObject({
      rate: 10,
      waiting: 50 - order.length,
      sent: order.length,
    })
    await vi.advanceTimersByTimeAsync(3_000)
    expect(order).toHaveLength(50)
  })

  test('keeps the lanes separate: a search does not wait for an album', async () => {
    start(5)
    for (let number = 0; number < 200; number++) void governor.run('index', async () => {}).catch(() => {})
    const search = governor.run('search', async () => 'found')
    await vi.advanceTimersByTimeAsync(200)
    await expect(search).resolves.toBe('found')
    expect(governor.figures().index.waiting).toBeGreaterThan(190)
  })

  test('gives up a call that may be left out when its own time is over, and not the others of its lane', async () => {
    start(1)
    const ends: string[] = []
    const call = (name: string, atMostMs?: number) =>
      governor
        .run('hop', async () => {}, { atMostMs })
        .then(
          () => ends.push(`${name} answered`),
          ({ code }) => ends.push(`${name} ${code}`),
        )
    for (let number = 0; number < 6; number++) void call('first')
    void call('optional', 4_000)
    void call('needed')
    await vi.advanceTimersByTimeAsync(4_100)
    expect(ends.filter((end) => !end.startsWith('first'))).toEqual(['optional SERVICE_UNAVAILABLE'])
    await vi.advanceTimersByTimeAsync(8_000)
    expect(ends.at(-1)).toBe('needed answered')
  })

  test('repeats calls after a passing fault, each time with a new permit, after a pause', async () => {
    start(10)
    const times: number[] = []
    const began = performance.now()
    const answer = governor.run('index', async () => {
      times.push(performance.now() - began)
      if (times.length < 4) throw fault('ThrottlingException')
      return 'indexed'
    })
    await vi.advanceTimersByTimeAsync(10_000)
    await expect(answer).resolves.toBe('indexed')
    const pauses = times.slice(1).map((at, index) => at - times[index]!)
    expect(pauses[0]).toBeGreaterThanOrEqual(200)
    expect(pauses[1]).toBeGreaterThanOrEqual(400)
    expect(pauses[2]).toBeGreaterThanOrEqual(800)
    expect(governor.figures().index).toMatchObject({ sent: 4, throttled: 3 })
  })

  test('reports answers while others wait, throttled calls, and the rate at which a call was refused', async () => {
    start(10, steadyStore(), () => 0)
    const faults = ['ThrottlingException', 'TimeoutError', 'ProvisionedThroughputExceededException']
    const calls = Array.from({ length: 5 }, () =>
      governor.run('index', async () => {
        const name = faults.shift()
        if (name) throw fault(name)
      }),
    )
    await vi.advanceTimersByTimeAsync(2_000)
    await Promise.all(calls)
    const last = governor.run('index', async () => {})
    await vi.advanceTimersByTimeAsync(500)
    await last
    // The last of the five answers does not count, because nobody waited. The throttled call takes back one answer.
    expect(asked.reduce((sum, { change }) => sum + change.growth, 0)).toBe(2 * (4 - 1))
    expect(asked.map(({ change }) => change.ceiling).filter(Boolean)).toEqual([5])
  })

  test('never repeats a call whose fault does not pass', async () => {
    start(10)
    let tries = 0
    const wrong = fault('InvalidParameterException')
    const answer = governor.run('index', async () => {
      tries++
      throw wrong
    })
    await expect(answer).rejects.toBe(wrong)
    expect(tries).toBe(1)
  })

  test('gives up when the service itself has failed five times', async () => {
    start(10)
    let tries = 0
    const failure = fault('InternalServerError')
    const answer = governor.run('index', async () => {
      tries++
      throw failure
    })
    const end = expect(answer).rejects.toBe(failure)
    await vi.advanceTimersByTimeAsync(60_000)
    await end
    expect(tries).toBe(5)
  })

  test('answers a search within fifteen seconds, and lets photos wait for five minutes', async () => {
    start(10)
    const throttled = fault('ProvisionedThroughputExceededException')
    const always = () => Promise.reject(throttled)
    let [searchEnded, indexEnded] = [false, false]
    const search = expect(governor.run('search', always).finally(() => (searchEnded = true))).rejects
    const index = expect(governor.run('index', always).finally(() => (indexEnded = true))).rejects
    const [searchIsBusy, indexIsBusy] = [
      search.toMatchObject({ ...busy, cause: throttled }),
      index.toMatchObject(busy),
    ]
    await vi.advanceTimersByTimeAsync(14_900)
    expect(searchEnded).toBe(false)
    await vi.advanceTimersByTimeAsync(100)
    await searchIsBusy
    await vi.advanceTimersByTimeAsync(284_900)
    expect(indexEnded).toBe(false)
    await vi.advanceTimersByTimeAsync(100)
    await indexIsBusy
  })

  test('gives up a try without an answer, even one that ignores the signal, and tries again', async () => {
    start(10)
    const signals: AbortSignal[] = []
    const answer = governor.run('search', (signal) => {
      signals.push(signal)
      return signals.length === 1 ? new Promise(() => {}) : Promise.resolve('found')
    })
    await vi.advanceTimersByTimeAsync(10_000)
    await expect(answer).resolves.toBe('found')
    expect(signals[0]!.aborted).toBe(true)
    expect(governor.figures().search).toMatchObject({ sent: 2, unreachable: 1, running: 0 })
  })

  test('ends waiting and running calls when it is closed', async () => {
    start(1)
    const calls = Array.from({ length: 3 }, () => governor.run('index', () => new Promise(() => {})))
    const ends = calls.map((call) => expect(call).rejects.toMatchObject(busy))
    await vi.advanceTimersByTimeAsync(10)
    await governor.close()
    await Promise.all(ends)
    await expect(governor.run('index', async () => {})).rejects.toMatchObject(busy)
  })

  test('waits for an unavailable database', async () => {
    const store = steadyStore()
    let isUnavailable = true
    const gone = new Error('Connection terminated')
    const open: QuotaStore['open'] = (...args) => (isUnavailable ? Promise.reject(gone) : store.open(...args))
    start(5, { ...store, open })
    const index = governor.run('index', async () => 'indexed')
    const search = expect(governor.run('search', async () => {})).rejects.toMatchObject({
      ...busy,
      cause: gone,
    })
    await vi.advanceTimersByTimeAsync(20_000)
    await search
    isUnavailable = false
    await vi.advanceTimersByTimeAsync(2_000)
    await expect(index).resolves.toBe('indexed')
  })
})

test('pauses have full jitter: anything from nothing to a bound that doubles up to the longest', () => {
  expect([0, 1, 2, 3, 9].map((tries) => pauseMs(tries, 1))).toEqual([200, 400, 800, 1600, 2_000])
  expect([0, 1, 2, 3, 9].map((tries) => pauseMs(tries, 0))).toEqual([0, 0, 0, 0, 0])
  expect(pauseMs(2, 0.5)).toBe(400)
})
