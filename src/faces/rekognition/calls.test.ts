import { DescribeCollectionCommand } from '@aws-sdk/client-rekognition'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createLog } from '../../log.ts'
import { type StandIn, startStandInRekognition } from '../../testing/rekognition/stand-in.ts'
import { type Calls, createCalls, createPace } from './calls.ts'

/** Gives a test a clock that only vi.advanceTimersByTimeAsync moves, for timers, performance and AbortSignal.timeout.
 *  Vitest does not fake `node:timers/promises`, so a test file mocks its setTimeout with `pause` below. To end it, call
 *  vi.useRealTimers and vi.restoreAllMocks. */
function useFakeClock(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    const controller = new AbortController()
    setTimeout(() => controller.abort(new DOMException('Timed out', 'TimeoutError')), ms)
    return controller.signal
  })
}

/** setTimeout of `node:timers/promises`, on the clock of the test. */
function pause<T>(ms: number, value?: T, { signal }: { signal?: AbortSignal } = {}): Promise<T> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const timer = setTimeout(() => resolve(value as T), ms)
    const end = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    signal?.addEventListener('abort', end, { once: true })
  })
}

describe('photos', () => {
  beforeEach(() => useFakeClock())
  afterEach(() => {
    vi.useRealTimers()
    vi.restoreAllMocks()
  })

  test('begin in their order and at a fixed rate, also after a pause', async () => {
    const turn = createPace(10, pause)
    const begun: number[] = []
    const begin = async (number: number) => {
      await turn(new AbortController().signal)
      begun.push(number)
    }
    for (let number = 0; number < 50; number++) void begin(number)
    await vi.advanceTimersByTimeAsync(2_000)
    expect(begun).toEqual(Array.from({ length: 21 }, (_, number) => number))
    await vi.advanceTimersByTimeAsync(60_000)
    expect(begun).toHaveLength(50)
    for (let number = 50; number < 70; number++) void begin(number)
    await vi.advanceTimersByTimeAsync(1_000)
    expect(begun).toHaveLength(50 + 11 + 3)
  })

  test('that are given up leave', async () => {
    const turn = createPace(1, pause)
    const leaving = new AbortController()
    await turn(leaving.signal)
    const late = expect(turn(leaving.signal)).rejects.toThrow()
    leaving.abort()
    await late
  })
})

describe('a call', () => {
  let service: StandIn
  let calls: Calls

  beforeEach(async () => {
    // No pause between the tries.
    vi.spyOn(Math, 'random').mockReturnValue(0)
    service = await startStandInRekognition({ recognise: async () => [] })
    const { endpoint, region, credentials } = service
    const client = { endpoint, region, credentials }
    calls = await createCalls({ client, photosPerSecond: 1, log: createLog('silent') })
  })
  afterEach(async () => {
    calls.close()
    await service.close()
    vi.restoreAllMocks()
  })

  const describeAlbum = (options?: { atMostMs: number }) =>
    calls.send('manage', new DescribeCollectionCommand({ CollectionId: 'album' }), options)

  test.each(['ThrottlingException', 'break'] as const)(
    'is repeated after a fault that passes: %s',
    async (fault) => {
      const faults = [fault]
      service.fault = () => faults.shift()
      await expect(describeAlbum()).rejects.toMatchObject({ code: 'NOT_FOUND' })
      expect(service.served).toHaveLength(2)
    },
  )

  test('is not repeated after any other fault', async () => {
    await expect(describeAlbum()).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(service.served).toHaveLength(1)
  })

  test('that may be left out ends when its time is over', async () => {
    service.fault = () => 'hang'
    await expect(describeAlbum({ atMostMs: 50 })).rejects.toThrow()
  })

  test('ends when everything is closed', async () => {
    service.fault = () => 'hang'
    const ends = expect(describeAlbum()).rejects.toThrow()
    calls.close()
    await ends
    await expect(describeAlbum()).rejects.toThrow()
  })
})
