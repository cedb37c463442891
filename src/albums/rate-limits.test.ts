import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { COMMAND_LINE } from '../audit/audit-log.ts'
import { createDb } from '../database/client.ts'
import type { Album } from '../database/schema.ts'
import type { AppError } from '../errors.ts'
import { createTestDomain, type TestDomain } from '../testing/domain.ts'
import { authenticate, authenticateOwner } from './authenticate.ts'
import { createAlbum } from './create.ts'
import { deleteEndedWindows } from './limit-queries.ts'
import { decryptPassword } from './password.ts'
import { countCall, countWrong, type LimitDeps, RATE_LIMITS, type RateLimits } from './rate-limits.ts'

let domain: TestDomain
let album: Album

const limits: RateLimits = {
  ...RATE_LIMITS,
  changeSecret: { ...RATE_LIMITS.changeSecret, perAddress: 3 },
  selfie: {
    ...RATE_LIMITS.selfie,
    perAddress: 12,
    sessionShare: undefined,
    perSession: 5,
    perAlbum: { calls: 8, fairShare: 2 },
  },
  wrongPassword: { ...RATE_LIMITS.wrongPassword, perAddress: 4, perAlbum: { calls: 6, fairShare: 1 } },
  wrongOwnerKey: { ...RATE_LIMITS.wrongOwnerKey, perAddress: 2 },
  letterLink: { ...RATE_LIMITS.letterLink, perAddress: 2 },
}

beforeAll(async () => {
  domain = await createTestDomain()
})
afterAll(() => domain?.close())
beforeEach(async () => {
  await domain.db.deleteFrom('rate_limits').execute()
  album = await domain.newAlbum()
})

const deps = (): LimitDeps => ({ ...domain, limits })
const selfie = (sessionId: string, address = '10.0.0.1', albumId = album.id) =>
  countCall(deps(), 'selfie', { address, sessionId, albumIds: [albumId] })
const passed = (results: PromiseSettledResult<unknown>[]) =>
  results.filter(({ status }) => status === 'fulfilled').length
const tooMany = { code: 'TOO_MANY_REQUESTS' }

describe('a limit on calls', () => {
  test('allows a caller a number of calls in a window, and then says how long to wait', async () => {
    for (let call = 0; call < 3; call++) await countCall(deps(), 'changeSecret', { address: '10.0.0.1' })
    const refusal = countCall(deps(), 'changeSecret', { address: '10.0.0.1' })
    await expect(refusal).rejects.toMatchObject(tooMany)
    const { retryAfter } = await refusal.catch((error) => error)
    expect(retryAfter).toBeGreaterThan(3500)
    expect(retryAfter).toBeLessThanOrEqual(3600)
    await countCall(deps(), 'changeSecret', { address: '10.0.0.2' })
  })

  test('starts again when the window is over', async () => {
    for (let call = 0; call < 3; call++) await countCall(deps(), 'changeSecret', { address: '10.0.0.1' })
    await domain.db.updateTable('rate_limits').set({ window_ends_at: sql<Date>`now()` }).execute()
    for (let call = 0; call < 3; call++) await countCall(deps(), 'changeSecret', { address: '10.0.0.1' })
    await expect(countCall(deps(), 'changeSecret', { address: '10.0.0.1' })).rejects.toMatchObject(tooMany)
  })

  test('counts each of many simultaneous calls', async () => {
    const calls = Array.from({ length: 20 }, () => selfie('one'))
    expect(passed(await Promise.allSettled(calls))).toBe(5)
  })

  test('counts none that it refuses, so that a raised limit holds at once', async () => {
    const calls = Array.from({ length: 20 }, () => selfie('one'))
    await Promise.allSettled(calls)
    const raised = { ...limits, selfie: { ...limits.selfie, perSession: 6 } }
    await countCall({ ...domain, limits: raised }, 'selfie', { address: '10.0.0.1', sessionId: 'one' })
  })

  test('counts sessions and, without shares, addresses, so that new sessions do not get more', async () => {
    const inTurn = Array.from({ length: 20 }, (_, index) => () => selfie(`session ${index}`))
    for (const call of inTurn.slice(0, 12)) await call()
    for (const call of inTurn.slice(12)) await expect(call()).rejects.toMatchObject(tooMany)
    await selfie('session 0', '10.0.0.2')
  })

  test('on a crowded album, only callers who have used their share have to wait', async () => {
    for (let call = 0; call < 5; call++) await selfie('greedy', '10.0.0.2')
    for (let call = 0; call < 3; call++) await selfie('busy')
    await expect(selfie('busy')).rejects.toMatchObject(tooMany)
    await selfie('new guest')
    await selfie('new guest')
    const other = await domain.newAlbum()
    await selfie('busy', '10.0.0.1', other.id)
  })

  test('stores no address, and nothing after its window', async () => {
    await countCall(deps(), 'changeSecret', { address: '10.11.12.13' })
    const rows = await domain.db.selectFrom('rate_limits').selectAll().execute()
    expect(rows).toHaveLength(1)
    expect(rows[0]!.key).toHaveLength(32)
    await domain.db
      .updateTable('rate_limits')
      .set({ window_ends_at: sql<Date>`now() - interval '1 second'` })
      .execute()
    await deleteEndedWindows(domain.db)
    expect(await domain.db.selectFrom('rate_limits').selectAll().execute()).toEqual([])
  })
})

describe('a limit with a share for each session', () => {
  const shared = {
    ...limits,
    selfie: { ...RATE_LIMITS.selfie, perAddress: 6, sessionShare: 2, perAlbum: undefined },
  } as RateLimits
  const call = (sessionId?: string) =>
    countCall({ ...domain, limits: shared }, 'selfie', {
      address: '10.0.0.1',
      ...(sessionId && { sessionId }),
    })

  test('does not lock out the other sessions of an address', async () => {
    for (let calls = 0; calls < 6; calls++) await call('greedy')
    await expect(call('greedy')).rejects.toMatchObject(tooMany)
    await call('another')
    await call('another')
    await expect(call('another')).rejects.toMatchObject(tooMany)
    // Who has no session is counted by the address only.
    await expect(call()).rejects.toMatchObject(tooMany)
  })

  test('counts for its address no call that its session may not make', async () => {
    const who = (sessionId: string) => ({ address: '10.0.0.1', sessionId })
    const own = { ...shared, selfie: { ...shared.selfie, perSession: 3 } } as RateLimits
    const callOnce = (sessionId: string) => countCall({ ...domain, limits: own }, 'selfie', who(sessionId))
    for (let calls = 0; calls < 3; calls++) await callOnce('greedy')
    for (let calls = 0; calls < 20; calls++) await expect(callOnce('greedy')).rejects.toMatchObject(tooMany)
    for (let calls = 0; calls < 3; calls++) await callOnce('another')
  })

  test('is set wherever calls are counted for a session', () => {
    const lockable = Object.entries(RATE_LIMITS)
      .filter(([, limit]) => limit.perSession !== undefined && limit.sessionShare === undefined)
      .map(([kind]) => kind)
    expect([lockable, RATE_LIMITS.logOut.sessionShare]).toEqual([[], 1])
  })
})

describe('guessing a password', () => {
  const guess = (address: string, password = 'wrong') =>
    authenticate(deps(), { slug: album.slug, password, address })

  test('is refused after a number of wrong ones, and the right one is accepted all the same', async () => {
    for (let tries = 0; tries < 4; tries++)
      await expect(guess('10.0.0.1')).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
    await expect(guess('10.0.0.1')).rejects.toMatchObject(tooMany)
    expect(await guess('10.0.0.1', decryptPassword(domain.keyring, album))).toMatchObject({ id: album.id })
  })

  test('does not count guests with the right password, also when all of them enter at once', async () => {
    const password = decryptPassword(domain.keyring, album)
    await Promise.all(Array.from({ length: 500 }, () => guess('10.0.0.1', password)))
    await expect(guess('10.0.0.1')).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
  })

  test('two hundred times at once does not get more answers, over two processes that share a database', async () => {
    const second = createDb(domain.address, () => {})
    try {
      const attempts = Array.from({ length: 200 }, (_, index) =>
        authenticate(
          { ...deps(), ...(index % 2 && { db: second }) },
          { slug: album.slug, password: `guess ${index}`, address: '10.0.0.1' },
        ).catch((error: AppError) => error.code),
      )
      const answers = await Promise.all(attempts)
      expect(answers.filter((answer) => answer === 'UNAUTHORIZED')).toHaveLength(4)
      expect(answers.filter((answer) => answer === 'TOO_MANY_REQUESTS')).toHaveLength(196)
    } finally {
      await second.destroy()
    }
  })

  test('the right one does not wait for many wrong ones that are sent at once', async () => {
    let answered = 0
    const wrong = Array.from({ length: 300 }, () => guess('10.0.0.1').catch(() => void answered++))
    const found = await guess('10.0.0.1', decryptPassword(domain.keyring, album))
    expect(found).toMatchObject({ id: album.id })
    expect(answered).toBeLessThan(150)
    await Promise.all(wrong)
  })
})

describe('many calls of one network', () => {
  const MANY = 100

  test.each([
    { what: 'wrong tokens', begin: () => countWrong(deps(), 'wrongAdminToken', { address: '10.0.0.1' }) },
    { what: 'log-outs', begin: () => countCall(deps(), 'logOut', { address: '10.0.0.1' }) },
    {
      what: 'changes of its albums',
      begin: (call: number) =>
        countCall(deps(), 'changeSettings', { address: `album ${call % 20}`, network: '10.0.0.1' }),
    },
  ])('delay neither others nor reads: $what', async ({ begin }) => {
    let ended = 0
    const attack = Array.from({ length: MANY }, (_, call) =>
      begin(call)
        .catch(() => {})
        .then(() => ended++),
    )
    await countWrong(deps(), 'unknownName', { address: '10.0.0.2' })
    await sql`select 1`.execute(domain.db)
    expect(ended).toBeLessThan(MANY / 2)
    await Promise.all(attack)
  })
})

describe('guessing an owner key', () => {
  const guess = (ownerKey: string) => authenticateOwner(deps(), { ownerKey, address: '10.0.0.1' })

  test('is refused after a number of wrong ones, whatever they look like', async () => {
    for (const wrong of ['A'.repeat(32), 'short'])
      await expect(guess(wrong)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(guess('B'.repeat(32))).rejects.toMatchObject(tooMany)
  })

  test('many times at once does not get more answers, and right keys are not counted', async () => {
    const { ownerKey } = await createAlbum(
      domain,
      { email: 'owner@example.com', albumName: 'Mine' },
      COMMAND_LINE,
    )
    await Promise.all(Array.from({ length: 20 }, () => guess(ownerKey)))
    const wrong = Array.from({ length: 50 }, () =>
      guess('C'.repeat(32)).catch((error: AppError) => error.code),
    )
    expect((await Promise.all(wrong)).filter((code) => code === 'NOT_FOUND')).toHaveLength(2)
  })
})
