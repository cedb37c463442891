import { setImmediate as endOfTurn } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { AppError } from '../errors.ts'
import { createSelfieLine, type Places, type SelfieLine } from './selfie-line.ts'
import { createSelfiePace, type SelfiePace } from './selfie-pace.ts'

/** A clock that jumps to the next event. */
function createTime() {
  let now = 0
  const events: { at: number; happen: () => void }[] = []
  return {
    now: () => now,
    after: (ms: number) =>
      new Promise<void>((happen) => {
        events.push({ at: now + ms, happen })
      }),
    /** Runs until nothing is left to happen. */
    async run(): Promise<void> {
      for (;;) {
        await endOfTurn()
        const next = events.toSorted((one, other) => one.at - other.at)[0]
        if (!next) return
        events.splice(events.indexOf(next), 1)
        now = next.at
        next.happen()
      }
    },
  }
}

function createPlaces(now: () => number): Places {
  const due = new Map<string, number>()
  return {
    async secondsUntil(caller) {
      const at = due.get(caller)
      return at === undefined ? undefined : (at - now()) / 1_000
    },
    keep: async (caller, seconds) => void due.set(caller, now() + seconds * 1_000),
    giveUp: async (caller) => void due.delete(caller),
  }
}

describe('the line', () => {
  function createLine() {
    const time = createTime()
    const places = createPlaces(time.now)
    const line = createSelfieLine({ places, interval: () => 250, now: time.now })
    /** @returns the seconds until the caller should come again; undefined when it is let in */
    const enter = async (caller: string, secondsLeft: number, isSent = false) => {
      try {
        await line.enter(caller, secondsLeft, { isSent })
        return undefined
      } catch (error) {
        expect(error).toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
        return (error as AppError).retryAfter
      }
    }
    const pass = async (ms: number) => {
      void time.after(ms)
      await time.run()
    }
    return { enter, pass }
  }

  test('lets everybody in while few selfies are in the service', async () => {
    const { enter } = createLine()
    expect(await enter('a', 0)).toBeUndefined()
    expect(await enter('b', 2.9)).toBeUndefined()
  })

  test('gives places that are as far apart as the answers', async () => {
    const { enter } = createLine()
    const seconds: (number | undefined)[] = []
    for (let caller = 0; caller < 12; caller++) seconds.push(await enter(`${caller}`, 3))
    expect(seconds).toEqual([2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4])
  })

  test('repeats the time to a caller who comes too early', async () => {
    const { enter, pass } = createLine()
    for (let caller = 0; caller < 40; caller++) await enter(`${caller}`, 3)
    expect(await enter('39', 3)).toBe(11)
    await pass(5_000)
    expect(await enter('39', 3)).toBe(6)
    expect(await enter('39', 2.9)).toBeUndefined()
  })

  test('lets a caller in at its time, before one who comes for the first time', async () => {
    const { enter, pass } = createLine()
    await enter('early', 3)
    await pass(2_000)
    expect(await enter('late', 4)).toBe(2)
    expect(await enter('early', 4)).toBeUndefined()
    expect(await enter('early', 6)).toBe(3)
    await pass(5_000)
    expect(await enter('early', 6)).toBeUndefined()
  })

  test('lets a selfie that was sent go on, unless many have come in meanwhile', async () => {
    const { enter, pass } = createLine()
    expect(await enter('a', 7.9, true)).toBeUndefined()
    expect(await enter('b', 8, true)).toBe(2)
    await pass(2_000)
    expect(await enter('b', 7.9, true)).toBeUndefined()
    // It has used its place.
    expect(await enter('b', 4)).toBe(2)
  })

  test('sends nobody away for longer than two minutes', async () => {
    const { enter } = createLine()
    for (let caller = 0; caller < 1_000; caller++) await enter(`${caller}`, 3)
    expect(await enter('last', 3)).toBe(120)
  })
})

interface Guest {
  /** Ms, in the time of the test. */
  answeredAt: number
  /** Ms from its selfie's arrival to the answer. */
  inService: number
}

const ENGINES = 2
const SEARCH_MS = 550
const SENDING_MS = 800

/** Lets guests come evenly within a minute, each with one selfie, to processes that have two engines each.
 *  @param leaves which guests do not come again when they are sent away
 *  @returns what became of those who stayed, in the order in which they came */
async function searchInHall(
  guests: number,
  processes: number,
  leaves: (guest: number) => boolean = () => false,
): Promise<Guest[]> {
  const { now, after, run } = createTime()
  const places = createPlaces(now)

  function startProcess(): { pace: SelfiePace; line: SelfieLine; search: () => Promise<void> } {
    const pace = createSelfiePace({ engines: ENGINES, now })
    const freeAt = Array.from({ length: ENGINES }, () => 0)
    // The next engine that is free takes the selfie.
    const search = async () => {
      const engine = freeAt.indexOf(Math.min(...freeAt))
      freeAt[engine] = Math.max(freeAt[engine]!, now()) + SEARCH_MS
      await after(freeAt[engine] - now())
    }
    return { pace, line: createSelfieLine({ places, interval: pace.interval, now }), search }
  }
  const all = Array.from({ length: processes }, startProcess)
  let calls = 0

  async function visit(guest: number): Promise<Guest | undefined> {
    await after((guest * 60_000) / guests)
    for (;;) {
      // A balancer sends each call to another process.
      const { pace, line, search } = all[calls++ % processes]!
      try {
        await line.enter(`${guest}`, pace.secondsLeft())
        await after(SENDING_MS)
        await line.enter(`${guest}`, pace.secondsLeft(), { isSent: true })
        const sentAt = now()
        await pace.measure(search)
        return { answeredAt: now(), inService: now() - sentAt }
      } catch (error) {
        if (!(error instanceof AppError && error.retryAfter)) throw error
        if (leaves(guest)) return undefined
        const network = (guest % 7) * 50
        await after(error.retryAfter * 1_000 + network)
      }
    }
  }

  const visits = Promise.all(Array.from({ length: guests }, (_, guest) => visit(guest)))
  await run()
  return (await visits).filter((guest) => guest !== undefined)
}

describe.each([1, 3])(
  'in a hall where guests search twice as fast as %i processes can answer',
  (processes) => {
    const GUESTS = 500 * processes
    /** Ms between two answers of all engines together. */
    const INTERVAL = SEARCH_MS / ENGINES / processes

    test('each gets its photos, hardly later than in the order in which they came, and no selfie waits long in the service', async () => {
      const guests = await searchInHall(GUESTS, processes)
      expect(guests).toHaveLength(GUESTS)
      for (const [guest, { answeredAt, inService }] of guests.entries()) {
        expect(answeredAt - guest * INTERVAL).toBeLessThan(12_000)
        expect(inService).toBeLessThan(10_000)
      }
      const last = Math.max(...guests.map(({ answeredAt }) => answeredAt))
      expect(last).toBeLessThan(GUESTS * INTERVAL * 1.05)
    })

    test('the engines do not wait for those who do not come again', async () => {
      const guests = await searchInHall(GUESTS, processes, (guest) => guest % 3 === 0)
      const last = Math.max(...guests.map(({ answeredAt }) => answeredAt))
      expect(last).toBeLessThan(guests.length * INTERVAL * 1.2)
    })
  },
)
