import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDomain, type TestDomain } from '../testing/domain.ts'
import { waitUntil } from '../testing/wait.ts'
import { announce } from './notification-queries.ts'

let domain: TestDomain

beforeAll(async () => {
  domain = await createTestDomain()
})
afterAll(() => domain?.close())

/** Waits for a value that a test sets, and counts how often it is asked for. */
function waiter(key: string) {
  const { signal, abort } = abortable()
  const state = { value: undefined as string | undefined, asked: 0, abort, answer: undefined as unknown }
  state.answer = domain.notifications.waitFor(
    key,
    async () => {
      state.asked++
      return state.value
    },
    signal,
  )
  return state
}

function abortable() {
  const controller = new AbortController()
  return { signal: controller.signal, abort: () => controller.abort() }
}

const asked = (state: { asked: number }, times: number) =>
  waitUntil(`question ${times}`, async () => state.asked === times)

test('an announcement makes every wait for its key ask again, and no other wait', async () => {
  const [one, other] = [waiter('one'), waiter('other')]
  await Promise.all([asked(one, 1), asked(other, 1)])
  one.value = 'done'
  await announce(domain.db, 'one')
  expect(await one.answer).toBe('done')
  expect([one.asked, other.asked]).toEqual([2, 1])
  other.abort()
  expect(await other.answer).toBeUndefined()
  expect(other.asked).toBe(2)
})

test('an announcement inside a transaction arrives when the transaction commits', async () => {
  const state = waiter('in a transaction')
  await asked(state, 1)
  await domain.db.transaction().execute(async (trx) => {
    await announce(trx, 'in a transaction')
    await announce(domain.db, 'something else')
    expect(state.asked).toBe(1)
    state.value = 'committed'
  })
  expect(await state.answer).toBe('committed')
})

test('what was announced while the connection was lost is found after it is restored', async () => {
  const state = waiter('missed')
  await asked(state, 1)
  state.value = 'found'
  await sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and (query ilike 'listen %' or query like '%pg_listening_channels%')
      and pid <> pg_backend_pid()
  `.execute(domain.db)
  expect(await state.answer).toBe('found')
})

test('an answer that is there already is given at once', async () => {
  const { signal } = abortable()
  expect(await domain.notifications.waitFor('there', async () => 'already', signal)).toBe('already')
})
