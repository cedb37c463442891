import { describe, expect, test } from 'vitest'
import { createSelfieMemory, type SelfieMemoryLimits } from './selfie-memory.ts'

const LIMITS: SelfieMemoryLimits = { total: 100, perAddress: 60, perCaller: 2, waiting: 2, waitMs: 60_000 }
const busy = { code: 'SERVICE_UNAVAILABLE', retryAfter: 5 }

/** Memory, and a list of the callers that got some, in their order. */
function createMemory(limits: Partial<SelfieMemoryLimits> = {}) {
  const memory = createSelfieMemory({ ...LIMITS, ...limits })
  const entered: string[] = []
  const never = new AbortController().signal
  return {
    entered,
    async reserve(sessionId: string, bytes: number, { address = sessionId, hungUp = never } = {}) {
      const giveBack = await memory.reserve({ address, sessionId }, bytes, hungUp)
      entered.push(sessionId)
      return giveBack
    },
  }
}

describe('the memory for selfies', () => {
  test('is given back, and then to those who wait, in their order', async () => {
    const { reserve, entered } = createMemory()
    const giveBack = await reserve('a', 60)
    const waiting = [reserve('b', 50), reserve('c', 30)]
    expect(entered).toEqual(['a'])
    giveBack()
    await Promise.all(waiting)
    expect(entered).toEqual(['a', 'b', 'c'])
  })

  test('is not all given to one address: callers from elsewhere enter before its next', async () => {
    const { reserve, entered } = createMemory()
    const giveBack = await reserve('a', 50, { address: 'hall' })
    const next = reserve('b', 50, { address: 'hall' })
    await reserve('c', 50)
    giveBack()
    await next
    expect(entered).toEqual(['a', 'c', 'b'])
  })

  test('is not reserved for a caller who has two selfies already', async () => {
    const { reserve } = createMemory()
    const giveBack = await reserve('a', 1)
    await reserve('a', 1)
    await expect(reserve('a', 1)).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS', retryAfter: 3 })
    giveBack()
    await reserve('a', 1)
  })

  test('is refused after a wait, and to those who would wait behind too many', async () => {
    const { reserve } = createMemory({ waitMs: 20 })
    await reserve('a', 60)
    await expect(reserve('b', 60)).rejects.toMatchObject(busy)
    const waiting = [reserve('b', 60), reserve('c', 60)]
    const outcomes = Promise.allSettled(waiting)
    await expect(reserve('d', 60)).rejects.toMatchObject(busy)
    expect(await outcomes).toMatchObject([{ reason: busy }, { reason: busy }])
  })

  test('is not given to a caller who has hung up', async () => {
    const { reserve, entered } = createMemory()
    const giveBack = await reserve('a', 60)
    const leaving = new AbortController()
    const left = reserve('b', 60, { hungUp: leaving.signal })
    leaving.abort()
    await expect(left).rejects.toMatchObject(busy)
    giveBack()
    await reserve('c', 60)
    expect(entered).toEqual(['a', 'c'])
  })
})
