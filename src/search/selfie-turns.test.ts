import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDb, type Db } from '../database/client.ts'
import { type Jobs, startJobs } from '../jobs/registry.ts'
import { createLog } from '../log.ts'
import { createTestDomain, type TestDomain } from '../testing/domain.ts'
import { deleteEndedTurns } from './selfie-turn-queries.ts'
import { inTurn } from './selfie-turns.ts'

let domain: TestDomain
/** The database and the queue of a second process. */
let secondDb: Db
let secondQueue: Jobs

beforeAll(async () => {
  domain = await createTestDomain()
  secondDb = createDb(domain.address, () => {})
  secondQueue = await startJobs(domain.address, createLog('silent'))
})
afterAll(async () => {
  await secondQueue?.stop()
  await secondDb?.destroy()
  await domain?.close()
})

const never = new AbortController().signal
const inFirst = <T>(caller: string, work: () => Promise<T>, waitMs?: number, hungUp = never) =>
  inTurn(domain, caller, hungUp, work, waitMs)
const inSecond = <T>(caller: string, work: () => Promise<T>, waitMs?: number) =>
  inTurn({ ...domain, db: secondDb, notifications: secondQueue.notifications }, caller, never, work, waitMs)
const busy = { code: 'TOO_MANY_REQUESTS', retryAfter: 3 }

/** Work that has begun and goes on until `end` is called. */
async function begin(caller: string) {
  const begun = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<string>()
  const result = inFirst(caller, () => {
    begun.resolve()
    return ended.promise
  })
  await begun.promise
  return { result, end: () => ended.resolve('found') }
}

describe('a second selfie of a caller', () => {
  test('begins when the first has ended, also in another process', async () => {
    const first = await begin('guest')
    let hasEnded = false
    const second = inSecond('guest', async () => hasEnded)
    expect(await inFirst('another guest', async () => 'at once')).toBe('at once')
    hasEnded = true
    first.end()
    expect(await first.result).toBe('found')
    expect(await second).toBe(true)
  })

  test('is refused when the first takes too long', async () => {
    const first = await begin('patient')
    await expect(inSecond('patient', async () => 'x', 20)).rejects.toMatchObject(busy)
    first.end()
    await first.result
  })

  test('gets its turn when the first has failed, or its process has died', async () => {
    const failing = inFirst('unlucky', () => Promise.reject(new Error('No face')))
    await expect(failing).rejects.toThrow('No face')
    const dead = await begin('unlucky')
    await domain.db
      .updateTable('selfie_turns')
      .set({ ends_at: new Date(0) })
      .execute()
    expect(await inSecond('unlucky', async () => 'next')).toBe('next')
    dead.end()
    await dead.result
  })

  test('is not worked on when its caller has hung up', async () => {
    const leaving = new AbortController()
    const first = await begin('leaving')
    const second = inFirst('leaving', async () => 'x', 60_000, leaving.signal)
    leaving.abort()
    await expect(second).rejects.toMatchObject(busy)
    first.end()
    await first.result
    expect(await domain.db.selectFrom('selfie_turns').selectAll().execute()).toEqual([])
  })
})

test('of a caller only a keyed hash is stored, and it is deleted after its end', async () => {
  const held = await begin('192.0.2.7')
  const rows = () => domain.db.selectFrom('selfie_turns').selectAll().execute()
  expect((await rows()).map(({ caller }) => caller.length)).toEqual([32])
  await domain.db
    .updateTable('selfie_turns')
    .set({ ends_at: new Date(0) })
    .execute()
  await deleteEndedTurns(domain.db)
  expect(await rows()).toEqual([])
  held.end()
  await held.result
})
