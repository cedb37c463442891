import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { AppError } from '../errors.ts'
import { createSelfieQueue, type EnteredSelfie, type NewSelfie, type Turn } from './selfie-queue.ts'

const MB = 2 ** 20
const LIMITS = { bytes: 100 * MB, strangersBytes: 20 * MB, perCaller: 2, expectedMs: 4_000, waitMs: 8_000 }
const TURNS = { search: 3, submission: 3 }
/** Selfies that may wait until one was measured. */
const PLACES = 32
const NEVER = new AbortController().signal

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

function createQueue(limits: Partial<typeof LIMITS> = {}) {
  const queue = createSelfieQueue({ ...LIMITS, ...limits }, TURNS, () => performance.now())
  return {
    /** @param caller a session, or `network/session` */
    enter(caller: string, selfie: Partial<NewSelfie> = {}): EnteredSelfie {
      const [network, sessionId = caller] = caller.split('/') as [string, string?]
      const given = {
        kind: 'search',
        network,
        sessionId,
        bytes: MB,
        isStranger: false,
        isBehind: () => false,
        hungUp: NEVER,
      } as const
      return queue.enter({ ...given, ...selfie })
    },
  }
}

/** @returns the error that a newcomer gets, or undefined */
function refusalOf(enter: () => unknown): AppError | undefined {
  try {
    enter()
    return undefined
  } catch (error) {
    return error as AppError
  }
}

/** A visit that has arrived and waits for its turn, or has it. */
function wait(entered: EnteredSelfie, name: string, begun: string[]) {
  const visit: { turn?: Turn; refused?: AppError; entered: EnteredSelfie } = { entered }
  entered.turn().then(
    (turn) => {
      visit.turn = turn
      begun.push(name)
    },
    (error) => {
      visit.refused = error
    },
  )
  return visit
}

/** A selfie that is worked on for so many ms, again and again whenever it is answered or sent away. */
async function hammer(enter: () => EnteredSelfie, ms: number, until: AbortSignal): Promise<number> {
  let answered = 0
  while (!until.aborted) {
    try {
      const entered = enter()
      try {
        const turn = await entered.turn()
        await new Promise((end) => setTimeout(end, ms))
        turn.end(true)
        answered++
      } finally {
        entered.leave()
      }
    } catch {
      await new Promise((again) => setTimeout(again, 10))
    }
  }
  return answered
}

/** A selfie that is never sent to its end. The caller hangs up after so many ms, and begins again. */
async function hold(enter: () => EnteredSelfie, ms: number, until: AbortSignal): Promise<void> {
  while (!until.aborted) {
    let entered: EnteredSelfie | undefined
    refusalOf(() => {
      entered = enter()
    })
    await new Promise((end) => setTimeout(end, ms))
    entered?.leave()
  }
}

/** A guest who comes again after the seconds that the answer names. @returns ms until the answer */
async function visitPatiently(enter: () => EnteredSelfie, ms: number): Promise<number> {
  const began = performance.now()
  for (;;) {
    try {
      const entered = enter()
      const turn = await entered.turn()
      await new Promise((end) => setTimeout(end, ms))
      turn.end(true)
      entered.leave()
      return performance.now() - began
    } catch (error) {
      const { retryAfter } = error as AppError
      expect(retryAfter).toBeGreaterThanOrEqual(1)
      expect(retryAfter).toBeLessThanOrEqual(10)
      await new Promise((again) => setTimeout(again, retryAfter! * 1_000))
    }
  }
}

describe('turns', () => {
  test('are given to networks one after the other, however many selfies each has', async () => {
    const { enter } = createQueue()
    const begun: string[] = []
    const names = ['hall/a', 'hall/b', 'hall/c', 'hall/d', 'home', 'bus']
    const visits = names.map((name) => wait(enter(name), name, begun))
    await pass(0)
    // One of three is left for a network that has none in work.
    expect(begun).toEqual(['hall/a', 'hall/b', 'home'])
    visits[4]!.turn!.end(true)
    await pass(0)
    visits[0]!.turn!.end(true)
    await pass(0)
    expect(begun.slice(3)).toEqual(['bus'])
    const train = wait(enter('train'), 'train', begun)
    await pass(0)
    train.turn!.end(true)
    visits[5]!.turn!.end(true)
    await pass(0)
    expect(begun.slice(4)).toEqual(['train', 'hall/c'])
  })

  test('are given to one selfie of a caller at a time', async () => {
    const { enter } = createQueue()
    const begun: string[] = []
    const first = wait(enter('home/a'), 'first', begun)
    wait(enter('home/a'), 'second', begun)
    wait(enter('home/b'), 'other', begun)
    await pass(0)
    expect(begun).toEqual(['first', 'other'])
    expect(refusalOf(() => enter('home/a'))).toMatchObject({ code: 'TOO_MANY_REQUESTS', retryAfter: 3 })
    first.turn!.end(true)
    first.entered.leave()
    await pass(0)
    expect(begun).toEqual(['first', 'other', 'second'])
  })

  test('come within seconds; otherwise the answer says when to come again, or that the last selfie is in work', async () => {
    const { enter } = createQueue()
    const begun: string[] = []
    const visits = ['a', 'b', 'c', 'd'].map((name) => wait(enter(name), name, begun))
    const next = wait(enter('a'), 'next of a', begun)
    await pass(LIMITS.waitMs)
    expect(begun).toEqual(['a', 'b', 'c'])
    expect(visits[3]!.refused).toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfter: 1, isBusy: true })
    expect(next.refused).toMatchObject({ code: 'TOO_MANY_REQUESTS' })
  })

  test('are not given to a caller who has hung up', async () => {
    const { enter } = createQueue()
    const begun: string[] = []
    const visits = ['a', 'b', 'c'].map((name) => wait(enter(name), name, begun))
    const leaving = new AbortController()
    wait(enter('d', { hungUp: leaving.signal }), 'd', begun)
    wait(enter('e'), 'e', begun)
    await pass(0)
    leaving.abort(new Error('The caller has hung up'))
    visits[0]!.turn!.end(true)
    await pass(0)
    expect(begun).toEqual(['a', 'b', 'c', 'e'])
  })

  test('of searches and of submissions do not wait for each other', async () => {
    const { enter } = createQueue()
    const begun: string[] = []
    for (const name of ['a', 'b', 'c']) wait(enter(name, { kind: 'submission' }), name, begun)
    wait(enter('d'), 'd', begun)
    await pass(0)
    expect(begun).toEqual(['a', 'b', 'c', 'd'])
  })
})

describe('room', () => {
  test('is as much as can be answered within seconds, and a newcomer learns when to come again', async () => {
    const { enter } = createQueue()
    for (let guest = 0; guest < PLACES; guest++) enter(`hall/${guest}`)
    const refused = refusalOf(() => enter('hall/late'))
    expect(refused).toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfter: 2, isBusy: true })
    expect(refused!.message).toMatch(/^Many guests are searching/)
    for (let guest = 0; guest < 100; guest++) refusalOf(() => enter(`hall/later ${guest}`))
    expect(refusalOf(() => enter('hall/last'))).toMatchObject({ retryAfter: 10 })
  })

  test('goes from a network that has much to one that has little, and who loses it learns when to come again', async () => {
    const { enter } = createQueue()
    const entered = Array.from({ length: PLACES }, (_, guest) => enter(`hall/${guest}`))
    await pass(1)
    const home = enter('home')
    expect(entered.map(({ gone }) => gone.aborted).indexOf(true)).toBe(PLACES - 1)
    expect(entered[PLACES - 1]!.gone.reason).toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    await expect(entered[PLACES - 1]!.turn()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    expect(home.gone.aborted).toBe(false)
  })

  test('is all for one network while nobody else wants it', () => {
    const { enter } = createQueue()
    expect(() => Array.from({ length: PLACES }, (_, guest) => enter(`hall/${guest}`))).not.toThrow()
  })

  test('is given to who came before and comes again, not to those of the same network who came later', async () => {
    const { enter } = createQueue()
    const entered = Array.from({ length: PLACES }, (_, guest) => enter(`hall/${guest}`))
    await pass(1)
    expect(refusalOf(() => enter('hall/patient'))).toBeDefined()
    await pass(1)
    for (const { leave } of entered) leave()
    const later = Array.from({ length: PLACES }, (_, guest) => enter(`hall/later ${guest}`))
    await pass(1)
    expect(refusalOf(() => enter('hall/latest'))).toBeDefined()
    enter('hall/patient')
    expect(later.filter(({ gone }) => gone.aborted)).toHaveLength(1)
  })

  test('is bounded in bytes, and a small selfie counts as half a megabyte', () => {
    const { enter } = createQueue({ bytes: 2 * MB })
    const small = ['a', 'b', 'c', 'd'].map((name) => enter(name, { bytes: 13 }))
    expect(refusalOf(() => enter('e', { bytes: 13 }))).toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    small[0]!.leave()
    enter('e', { bytes: 13 })
  })

  test('in memory is taken from a network that has much while its selfies arrive', () => {
    const { enter } = createQueue()
    const large = ['hall/a', 'hall/b', 'hall/c'].map((name) => enter(name, { bytes: 30 * MB }))
    enter('home', { bytes: 30 * MB })
    expect(large.map(({ gone }) => gone.aborted)).toEqual([false, false, true])
    // The two networks have nearly the same now.
    expect(refusalOf(() => enter('home/b', { bytes: 30 * MB }))).toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
    })
  })

  test('of strangers is a small part, and one selfie for each network', () => {
    const { enter } = createQueue()
    const stranger = { isStranger: true, sessionId: undefined, bytes: 10 * MB }
    enter('one', stranger)
    expect(refusalOf(() => enter('one', stranger))).toMatchObject({ code: 'TOO_MANY_REQUESTS' })
    enter('two', stranger)
    expect(refusalOf(() => enter('three', stranger))).toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    enter('one', { ...stranger, isStranger: false })
  })

  test('in memory is taken from who has most of it behind the same address, and not for who wants more', () => {
    const { enter } = createQueue()
    const large = Array.from({ length: 10 }, (_, form) =>
      enter(`hall/${Math.floor(form / 2)}`, { bytes: 10 * MB }),
    )
    enter('hall/guest', { bytes: 3 * MB })
    expect(large.map(({ gone }) => gone.aborted).indexOf(true)).toBe(1)
    expect(large.filter(({ gone }) => gone.aborted)).toHaveLength(1)
    expect(refusalOf(() => enter('hall/guest', { bytes: 30 * MB }))).toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
    })
  })

  test('in memory is not taken by a large selfie from usual ones that came later', async () => {
    const { enter } = createQueue()
    const usual = Array.from({ length: 25 }, (_, guest) => enter(`hall/${guest}`, { bytes: 4 * MB }))
    expect(refusalOf(() => enter('hall/large', { bytes: 10 * MB }))).toBeDefined()
    await pass(1)
    for (const { leave } of usual) leave()
    const later = Array.from({ length: 25 }, (_, guest) => enter(`hall/later ${guest}`, { bytes: 4 * MB }))
    expect(refusalOf(() => enter('hall/large', { bytes: 10 * MB }))).toBeDefined()
    expect(later.filter(({ gone }) => gone.aborted)).toHaveLength(0)
  })

  test('in memory is taken from a usual selfie only when it is late and comes too slowly', async () => {
    const { enter } = createQueue()
    const slow = { bytes: 4 * MB, isBehind: () => true }
    const entered = Array.from({ length: 25 }, (_, guest) =>
      enter(`hall/${guest}`, guest === 7 ? slow : { bytes: 4 * MB }),
    )
    await pass(2_900)
    const newcomer = () => enter('hall/newcomer', { bytes: 4 * MB })
    expect(refusalOf(newcomer)).toBeDefined()
    await pass(100)
    newcomer()
    expect(entered.map(({ gone }) => gone.aborted).indexOf(true)).toBe(7)
    expect(entered.filter(({ gone }) => gone.aborted)).toHaveLength(1)
    await pass(20_000)
    expect(refusalOf(() => enter('hall/next', { bytes: 4 * MB }))).toBeDefined()
  })

  test('of strangers is taken from a late large selfie for a smaller one of another network', async () => {
    const { enter } = createQueue()
    const stranger = { isStranger: true, sessionId: undefined, bytes: 10 * MB }
    const large = [enter('one', stranger), enter('two', stranger)]
    await pass(2_900)
    expect(refusalOf(() => enter('three', { ...stranger, bytes: 3 * MB }))).toBeDefined()
    await pass(100)
    enter('three', { ...stranger, bytes: 3 * MB })
    expect(large.filter(({ gone }) => gone.aborted)).toHaveLength(1)
  })

  test('is not kept by selfies that arrive slowly', async () => {
    const { enter } = createQueue()
    for (let guest = 0; guest < PLACES; guest++) enter(`hall/${guest}`)
    await pass(3_000)
    enter('hall/next')
  })
})

describe('a caller who hammers with twenty sessions', () => {
  /** Two of one network are worked on at a time, so it gets ten answers a second. */
  const WORK_MS = 200

  async function attack(names: string[]): Promise<number[]> {
    const { enter } = createQueue()
    const ending = new AbortController()
    const attackers = Array.from({ length: 20 }, (_, session) =>
      hammer(() => enter(`attacker/${session}`), WORK_MS, ending.signal),
    )
    const waits = Promise.all(
      names.map(async (name, index) => {
        await new Promise((begin) => setTimeout(begin, 5_000 + 100 * index))
        return await visitPatiently(() => enter(name), WORK_MS)
      }),
    )
    await pass(60_000)
    ending.abort()
    await pass(60_000)
    expect((await Promise.all(attackers)).every((answered) => answered > 0)).toBe(true)
    return await waits
  }

  test('does not delay guests of other networks', async () => {
    for (const ms of await attack(['one', 'two', 'three', 'four']))
      expect(ms).toBeLessThanOrEqual(4 * WORK_MS)
  })

  test('delays guests of the same network as twenty others would', async () => {
    const names = ['attacker/g1', 'attacker/g2', 'attacker/g3', 'attacker/g4']
    for (const ms of await attack(names)) expect(ms).toBeLessThan(7_000)
  })
})

test('sessions that hold the room with selfies that never end delay a guest of their network once', async () => {
  const { enter } = createQueue()
  const ending = new AbortController()
  for (let session = 0; session < 25; session++)
    void hold(() => enter(`hall/${session}`, { bytes: 4 * MB }), 35_000, ending.signal)
  for (let session = 0; session < 25; session++)
    void hold(() => enter(`hall/${session}`, { bytes: 31 * MB }), 10_000, ending.signal)
  await pass(60_000)
  const waits = Promise.all(
    ['g1', 'g2', 'g3'].map((guest) => visitPatiently(() => enter(`hall/${guest}`, { bytes: 3 * MB }), 200)),
  )
  await pass(60_000)
  ending.abort()
  await pass(60_000)
  for (const ms of await waits) expect(ms).toBeLessThan(50_000)
})

test('three hundred guests of one network who come at once are all answered, as fast as the engines can', async () => {
  const { enter } = createQueue()
  const waits = Promise.all(
    Array.from({ length: 300 }, (_, guest) => visitPatiently(() => enter(`hall/${guest}`), 200)),
  )
  await pass(120_000)
  const all = await waits
  expect(all).toHaveLength(300)
  // 300 selfies at ten a second need 30 s.
  expect(Math.max(...all)).toBeLessThan(45_000)
})

test('a selfie that takes very long does not make all others look slow', async () => {
  const { enter } = createQueue()
  const slow = wait(enter('bomb'), 'bomb', [])
  await pass(60_000)
  slow.turn!.end(true)
  for (let guest = 0; guest < PLACES / 2 - 1; guest++) enter(`hall/${guest}`)
})
