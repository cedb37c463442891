import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Album } from '../database/schema.ts'
import { createTestDomain, type TestDomain } from '../testing/domain.ts'
import { authenticate, authenticateOwner } from './authenticate.ts'
import { deleteEndedWindows } from './limit-queries.ts'
import { decryptPassword } from './password.ts'
import { countCall, type LimitDeps, RATE_LIMITS, type RateLimits } from './rate-limits.ts'

let domain: TestDomain
let album: Album

const limits: RateLimits = {
  createAlbum: { ...RATE_LIMITS.createAlbum, perCaller: 3 },
  selfie: { ...RATE_LIMITS.selfie, perCaller: 5, perAlbum: { calls: 8, fairShare: 2 } },
  wrongPassword: { ...RATE_LIMITS.wrongPassword, perCaller: 4, perAlbum: { calls: 6, fairShare: 1 } },
  wrongOwnerKey: { ...RATE_LIMITS.wrongOwnerKey, perCaller: 2 },
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
const tooMany = { code: 'TOO_MANY_REQUESTS' }

describe('a limit on calls', () => {
  test('allows a caller a number of calls in a window, and then says how long to wait', async () => {
    for (let call = 0; call < 3; call++) await countCall(deps(), 'createAlbum', { caller: '10.0.0.1' })
    const refusal = countCall(deps(), 'createAlbum', { caller: '10.0.0.1' })
    await expect(refusal).rejects.toMatchObject(tooMany)
    const { retryAfter } = await refusal.catch((error) => error)
    expect(retryAfter).toBeGreaterThan(3500)
    expect(retryAfter).toBeLessThanOrEqual(3600)
    await countCall(deps(), 'createAlbum', { caller: '10.0.0.2' })
  })

  test('starts again when the window is over', async () => {
    for (let call = 0; call < 3; call++) await countCall(deps(), 'createAlbum', { caller: '10.0.0.1' })
    await domain.db.updateTable('rate_limits').set({ window_ends_at: sql<Date>`now()` }).execute()
    for (let call = 0; call < 3; call++) await countCall(deps(), 'createAlbum', { caller: '10.0.0.1' })
    await expect(countCall(deps(), 'createAlbum', { caller: '10.0.0.1' })).rejects.toMatchObject(tooMany)
  })

  test('counts each of many simultaneous calls', async () => {
    const calls = Array.from({ length: 20 }, () =>
      countCall(deps(), 'selfie', { caller: 'one', albumId: album.id }),
    )
    const results = await Promise.allSettled(calls)
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(5)
  })

  test('on a crowded album makes only those callers wait who have used their share', async () => {
    for (let call = 0; call < 5; call++)
      await countCall(deps(), 'selfie', { caller: 'greedy', albumId: album.id })
    for (let call = 0; call < 3; call++)
      await countCall(deps(), 'selfie', { caller: 'busy', albumId: album.id })
    await expect(countCall(deps(), 'selfie', { caller: 'busy', albumId: album.id })).rejects.toMatchObject(
      tooMany,
    )
    await countCall(deps(), 'selfie', { caller: 'new guest', albumId: album.id })
    await countCall(deps(), 'selfie', { caller: 'new guest', albumId: album.id })
    const other = await domain.newAlbum()
    await countCall(deps(), 'selfie', { caller: 'busy', albumId: other.id })
  })

  test('stores no address, and nothing after its window', async () => {
    await countCall(deps(), 'createAlbum', { caller: '10.11.12.13' })
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

  test('is refused after a number of wrong ones, even with the right one', async () => {
    for (let tries = 0; tries < 4; tries++)
      await expect(guess('10.0.0.1')).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
    await expect(guess('10.0.0.1', decryptPassword(domain.keyring, album))).rejects.toMatchObject(tooMany)
  })

  test('does not count guests with the right password', async () => {
    for (let guest = 0; guest < 10; guest++) await guess('10.0.0.1', decryptPassword(domain.keyring, album))
  })

  test('by many callers does not lock out another guest', async () => {
    for (let attacker = 0; attacker < 6; attacker++)
      await expect(guess(`10.0.0.${attacker}`)).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
    await expect(guess('10.0.0.1')).rejects.toMatchObject(tooMany)
    expect(await guess('192.168.0.7', decryptPassword(domain.keyring, album))).toMatchObject({ id: album.id })
  })
})

describe('guessing an owner key', () => {
  const guess = (ownerKey: string) => authenticateOwner(deps(), { ownerKey, address: '10.0.0.1' })

  test('is refused after a number of wrong ones, whatever they look like', async () => {
    for (const wrong of ['A'.repeat(32), 'short'])
      await expect(guess(wrong)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(guess('B'.repeat(32))).rejects.toMatchObject(tooMany)
  })
})
