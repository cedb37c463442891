/** How much of an unknown quota the governors of several processes use together. The clock is fake. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createLog } from '../../log.ts'
import { pause, useFakeClock } from '../../testing/fake-clock.ts'
import {
  createQuotas,
  randomFaults,
  randomNumbers,
  type ServiceFault,
} from '../../testing/rekognition/faults.ts'
import { createMemoryQuotaStore } from '../../testing/rekognition/memory-quota-store.ts'
import { createGovernor } from './governor.ts'

vi.mock('node:timers/promises', async () => ({
  setTimeout: (await import('../../testing/fake-clock.ts')).pause,
}))

const PROCESSES = 3
/** Photos under way in each, as in src/jobs/index-photos.ts. */
const AT_ONCE = 64

beforeEach(useFakeClock)
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

interface Service {
  /** Requests a second, after so many seconds. */
  quota: (second: number) => number
  faults?: Partial<Record<ServiceFault, number>>
  /** The name of the error for a request above the quota. */
  refusal?: string
}

/** Processes that always have photos to index, at a service that takes 0.3 to 0.7 s a photo.
 *  @returns for each second, how many calls were answered and refused, and the rate at its end */
async function indexFor(seconds: number, { quota, faults = {}, refusal }: Service) {
  const admit = createQuotas()
  const draw = randomFaults(faults)
  const random = randomNumbers()
  const store = createMemoryQuotaStore()
  const governors = Array.from({ length: PROCESSES }, () =>
    createGovernor({ store, rate: 5, log: createLog('silent'), random }),
  )
  const past = Array.from({ length: seconds }, () => ({ answered: 0, refused: 0, rate: 0 }))
  let now = 0

  async function call(): Promise<void> {
    const second = past[now]!
    const fault = draw()
    if (fault)
      throw Object.assign(new Error(fault), fault === 'break' ? { code: 'ECONNRESET' } : { name: fault })
    try {
      admit('IndexFaces', { IndexFaces: quota(now) })
    } catch (error) {
      second.refused++
      throw refusal ? Object.assign(new Error(refusal), { name: refusal }) : error
    }
    second.answered++
    await pause(300 + 400 * random())
  }

  let isOver = false
  const workers = governors.flatMap((governor) =>
    Array.from({ length: AT_ONCE }, async () => {
      while (!isOver) await governor.run('index', call).catch(() => {})
    }),
  )
  for (; now < seconds; now++) {
    await vi.advanceTimersByTimeAsync(now === seconds - 1 ? 999 : 1_000)
    past[now]!.rate = governors[0]!.figures().index.rate
  }
  now = seconds - 1
  isOver = true
  const closing = Promise.all(governors.map((governor) => governor.close()))
  await vi.advanceTimersByTimeAsync(60_000)
  await Promise.all([closing, ...workers])
  return past
}

type Past = Awaited<ReturnType<typeof indexFor>>
const sum = (past: Past, what: 'answered' | 'refused') =>
  past.reduce((total, second) => total + second[what], 0)
const shareOfRefused = (past: Past) => sum(past, 'refused') / (sum(past, 'refused') + sum(past, 'answered'))

test.each([
  [50, 40],
  [5, 100],
])(
  'a quota of %i/s is used to nine tenths from the start, and few calls are refused',
  async (quota, seconds) => {
    const past = await indexFor(seconds, { quota: () => quota })
    expect(sum(past, 'answered')).toBeGreaterThan(0.9 * quota * seconds)
    expect(shareOfRefused(past)).toBeLessThan(0.25)
  },
)

test.each([
  [50, 40],
  [5, 100],
])(
  'a quota of %i/s is also used while a fifth of all calls is throttled at any rate',
  async (quota, seconds) => {
    const faults = { ThrottlingException: 0.2, break: 0.05 } as const
    const past = await indexFor(seconds, { quota: () => quota, faults })
    expect(sum(past, 'answered')).toBeGreaterThan(0.87 * quota * seconds)
    expect(shareOfRefused(past)).toBeLessThan(0.25)
  },
)

test('a quota that is raised is found, and one that is lowered', async () => {
  const past = await indexFor(150, { quota: (second) => (second >= 30 && second < 90 ? 50 : 5) })
  expect(past[29]!.rate).toBeLessThan(10)
  expect(sum(past.slice(60, 90), 'answered')).toBeGreaterThan(0.9 * 30 * 50)
  expect(past[149]!.rate).toBeLessThan(10)
  expect(sum(past.slice(120), 'answered')).toBeGreaterThan(0.9 * 30 * 5)
})

test('a service that refuses everything for a while is used again soon after', async () => {
  const past = await indexFor(80, { quota: (second) => (second >= 20 && second < 35 ? 0.001 : 50) })
  expect(past[34]!.rate).toBeLessThan(25)
  expect(sum(past.slice(60), 'answered')).toBeGreaterThan(0.9 * 20 * 50)
})

test('a service that answers calls above its quota with ThrottlingException refuses about half of them at most', async () => {
  const past = await indexFor(40, { quota: () => 50, refusal: 'ThrottlingException' })
  expect(sum(past, 'answered')).toBeGreaterThan(0.9 * 50 * 40)
  expect(shareOfRefused(past)).toBeLessThan(0.55)
})
