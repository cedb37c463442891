import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestDomain, type TestDomain } from '../testing/domain.ts'
import { createPlaces, deleteOldPlaces } from './place-queries.ts'
import type { Places } from './selfie-line.ts'

let domain: TestDomain
let places: Places

beforeAll(async () => {
  domain = await createTestDomain()
  places = createPlaces(domain)
})
afterAll(() => domain?.close())
beforeEach(async () => {
  await domain.db.deleteFrom('selfie_places').execute()
})

const rows = () => domain.db.selectFrom('selfie_places').selectAll().execute()

/** Moves all places so many seconds into the past. */
const pass = (seconds: number) =>
  domain.db
    .updateTable('selfie_places')
    .set({ due_at: sql<Date>`due_at - make_interval(secs => ${seconds})` })
    .execute()

test('a place comes, is kept for two minutes, and is then forgotten', async () => {
  expect(await places.secondsUntil('a')).toBeUndefined()
  await places.keep('a', 60)
  const seconds = await places.secondsUntil('a')
  expect(seconds).toBeGreaterThan(0)
  expect(seconds).toBeLessThanOrEqual(60)
  expect(await places.secondsUntil('b')).toBeUndefined()
  await pass(60)
  expect(await places.secondsUntil('a')).toBeLessThanOrEqual(0)
  await deleteOldPlaces(domain.db)
  expect(await rows()).toHaveLength(1)
  await pass(120)
  expect(await places.secondsUntil('a')).toBeUndefined()
  await deleteOldPlaces(domain.db)
  expect(await rows()).toEqual([])
})

test('a caller has one place, the last one, until it is given up', async () => {
  await places.keep('a', 10)
  await places.keep('a', 100)
  expect(await places.secondsUntil('a')).toBeGreaterThan(10)
  await places.giveUp('a')
  expect(await rows()).toEqual([])
})

test('of a caller only a keyed hash is stored', async () => {
  await places.keep('192.0.2.7', 10)
  expect((await rows()).map(({ caller }) => caller.length)).toEqual([32])
})
