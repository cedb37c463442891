import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { COMMAND_LINE } from '../audit/audit-log.ts'
import { createDb } from '../database/client.ts'
import type { Album } from '../database/schema.ts'
import type { AppError } from '../errors.ts'
import { domainOfFile } from '../testing/domain.ts'
import { authenticate, authenticateOwner } from './authenticate.ts'
import { createAlbum } from './create.ts'
import { decryptPassword } from './password.ts'
import { countCall, RATE_LIMITS, type RateLimits } from './rate-limits.ts'
import { deleteEndedWindows } from './visitor-queries.ts'

const domain = await domainOfFile()
let album: Album

const limits: RateLimits = {
  ...RATE_LIMITS,
  changeAlbum: { ...RATE_LIMITS.changeAlbum, calls: 3 },
  selfie: { ...RATE_LIMITS.selfie, calls: 6, ofSession: 5 },
  wrongSecret: { ...RATE_LIMITS.wrongSecret, calls: 4 },
}

beforeEach(async () => {
  await domain.db.deleteFrom('rate_limits').execute()
  album = await domain.newAlbum()
})

const deps = () => ({ ...domain, limits })
const selfie = (sessionId?: string) => countCall(deps(), 'selfie', { address: '10.0.0.1', sessionId })
const passed = (results: PromiseSettledResult<unknown>[]) =>
  results.filter(({ status }) => status === 'fulfilled').length
const tooMany = { code: 'TOO_MANY_REQUESTS' }

describe('a limit on calls', () => {
  test('allows a caller a number of calls in a window, and then says how long to wait', async () => {
    for (let call = 0; call < 3; call++) await countCall(deps(), 'changeAlbum', { address: '10.0.0.1' })
    const refusal = countCall(deps(), 'changeAlbum', { address: '10.0.0.1' })
    await expect(refusal).rejects.toMatchObject(tooMany)
    const { retryAfter } = await refusal.catch((error) => error)
    expect(retryAfter).toBeGreaterThan(3500)
    expect(retryAfter).toBeLessThanOrEqual(3600)
    await countCall(deps(), 'changeAlbum', { address: '10.0.0.2' })
  })

  test('starts again when the window is over', async () => {
    for (let call = 0; call < 3; call++) await countCall(deps(), 'changeAlbum', { address: '10.0.0.1' })
    await domain.db.updateTable('rate_limits').set({ window_ends_at: sql<Date>`now()` }).execute()
    for (let call = 0; call < 3; call++) await countCall(deps(), 'changeAlbum', { address: '10.0.0.1' })
    await expect(countCall(deps(), 'changeAlbum', { address: '10.0.0.1' })).rejects.toMatchObject(tooMany)
  })

  test('counts each of many simultaneous calls', async () => {
    const calls = Array.from({ length: 20 }, () => selfie('one'))
    expect(passed(await Promise.allSettled(calls))).toBe(5)
  })

  test('counts none that it refuses, so that a raised limit holds at once', async () => {
    const calls = Array.from({ length: 20 }, () => selfie('one'))
    await Promise.allSettled(calls)
    const raised = { ...limits, selfie: { ...limits.selfie, ofSession: 6 } }
    await countCall({ ...domain, limits: raised }, 'selfie', { address: '10.0.0.1', sessionId: 'one' })
  })

  test('of a session holds for it alone: a greedy guest locks out nobody behind the same network', async () => {
    for (let call = 0; call < 5; call++) await selfie('greedy')
    for (let call = 0; call < 20; call++) await expect(selfie('greedy')).rejects.toMatchObject(tooMany)
    for (let call = 0; call < 5; call++) await selfie('another')
    // Who has no session is counted by the network.
    for (let call = 0; call < 6; call++) await selfie()
    await expect(selfie()).rejects.toMatchObject(tooMany)
  })

  test('stores no address, and nothing after its window', async () => {
    await countCall(deps(), 'changeAlbum', { address: '10.11.12.13' })
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
})

describe('guessing an owner key', () => {
  const guess = (ownerKey: string) => authenticateOwner(deps(), { ownerKey, address: '10.0.0.1' })

  test('is refused after a number of wrong ones, whatever they look like; right ones are not counted', async () => {
    const mine = { email: 'owner@example.com', albumName: 'Mine' }
    const { ownerKey } = await createAlbum(domain, mine, COMMAND_LINE)
    await Promise.all(Array.from({ length: 20 }, () => guess(ownerKey)))
    for (const wrong of ['A'.repeat(32), 'short', '', 'B'.repeat(32)])
      await expect(guess(wrong)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(guess('C'.repeat(32))).rejects.toMatchObject(tooMany)
  })
})
