import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { Progress } from '../contract/albums/albums.ts'
import { withAlbum } from '../database/transaction.ts'
import { album, domain, newAlbumForEachTest } from '../testing/domain.ts'
import { progressOf } from './progress.ts'
import { addToCounters, closeRound, findAlbumWithProgress, insertRound } from './queries.ts'

newAlbumForEachTest()

const store = (photos: number) =>
  domain.db.transaction().execute((trx) => addToCounters(trx, album.id, { stored: photos }))

/** Settles some photos in one transaction, this many seconds after the last ones. */
async function settle(photos: number, { after = 0 } = {}): Promise<void> {
  await pass(after)
  await withAlbum(domain.db, album.id, (trx) => addToCounters(trx, album.id, { settled: photos }))
}

/** Moves the last settled photo into the past. */
async function pass(seconds: number): Promise<void> {
  await domain.db
    .updateTable('albums')
    .set({ last_settled_at: sql<Date>`last_settled_at - make_interval(secs => ${seconds})` })
    .where('id', '=', album.id)
    .execute()
}

async function settleEvenly(times: number, photos: number, seconds: number): Promise<void> {
  for (let time = 0; time < times; time++) await settle(photos, { after: seconds })
}

async function progress(): Promise<Progress> {
  return progressOf((await findAlbumWithProgress(domain.db, { id: album.id }))!, 'embedded')
}

const UNKNOWN = { photosPerMinute: null, secondsLeft: null }

/** The database's own clock runs on meanwhile, so the figures are a little lower than the exact ones. */
function expectPace({ photosPerMinute, secondsLeft }: Progress, perMinute: number, left: number): void {
  expect(photosPerMinute).toBeGreaterThan(perMinute * 0.9)
  expect(photosPerMinute).toBeLessThanOrEqual(perMinute)
  expect(secondsLeft).toBeGreaterThanOrEqual(left)
  expect(secondsLeft).toBeLessThan(left * 1.1)
}

describe('the pace of an album', () => {
  test('is unknown until a few photos and seconds have been measured', async () => {
    expect(await progress()).toMatchObject(UNKNOWN)
    await store(100)
    expect(await progress()).toMatchObject(UNKNOWN)
    // Nobody knows how long the first ones took.
    await settle(40)
    expect(await progress()).toMatchObject(UNKNOWN)
    await settle(2, { after: 20 })
    expect(await progress()).toMatchObject(UNKNOWN)
    await settle(2, { after: 20 })
    expectPace(await progress(), 6, 560)
  })

  test('is that of the last minutes', async () => {
    await store(10_000)
    await settleEvenly(20, 100, 10)
    expect((await progress()).photosPerMinute).toBeGreaterThan(540)
    // Another album has begun, and the two take turns.
    await settleEvenly(60, 50, 10)
    expect((await progress()).photosPerMinute).toBeLessThan(310)
    expect((await progress()).photosPerMinute).toBeGreaterThan(270)
    // The other album is done.
    await settleEvenly(30, 100, 10)
    expect((await progress()).photosPerMinute).toBeGreaterThan(540)
  })

  test('is unknown after a minute in which nothing was settled', async () => {
    await store(1000)
    await settleEvenly(10, 10, 10)
    await pass(55)
    expect((await progress()).secondsLeft).not.toBeNull()
    await pass(10)
    expect(await progress()).toMatchObject(UNKNOWN)
  })

  test('is measured again after a pause, which does not count', async () => {
    await store(1000)
    await settleEvenly(10, 10, 10)
    await settle(3, { after: 7 * 24 * 3600 })
    expect(await progress()).toMatchObject(UNKNOWN)
    await settleEvenly(3, 5, 10)
    expectPace(await progress(), 30, (1000 - 118) * 2)
  })
})

describe('the time left', () => {
  const openRound = (total: number | null) =>
    domain.db.transaction().execute((trx) => insertRound(trx, album.id, total))

  test('includes the photos that are still to come', async () => {
    await openRound(1000)
    await store(200)
    await settleEvenly(11, 10, 10)
    expectPace(await progress(), 60, 890)
  })

  test('is unknown while nobody knows how many photos will come', async () => {
    const round = await openRound(null)
    await store(200)
    await settleEvenly(11, 10, 10)
    expect(await progress()).toMatchObject({ photosPerMinute: expect.any(Number), secondsLeft: null })
    await domain.db.transaction().execute((trx) => closeRound(trx, round.id))
    expectPace(await progress(), 60, 90)
  })
})
