import { type RawBuilder, sql } from 'kysely'
import { fromKysely } from 'pg-boss'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestDomain, type TestDomain } from '../testing/domain.ts'
import { queues } from './queues.ts'
import { nextTurnQuery, putLast } from './turn-queries.ts'

const QUEUE = queues.indexPhotos

let domain: TestDomain
/** The jobs of each owner that were sent, and those that are not done. */
let sent: Map<string, number>
let undone: Map<string, number>

beforeAll(async () => {
  domain = await createTestDomain()
})
afterAll(() => domain?.close())
beforeEach(async () => {
  await domain.queue.boss.deleteAllJobs(QUEUE.name)
  sent = new Map()
  undone = new Map()
})

const add = (counts: Map<string, number>, owner: string, count: number) =>
  counts.set(owner, (counts.get(owner) ?? 0) + count)

/** Sends jobs of an owner, named after it and numbered. */
async function send(owner: string, count: number): Promise<void> {
  const before = sent.get(owner) ?? 0
  const payloads = Array.from({ length: count }, (_, index) => ({
    photoId: `${owner} ${before + index + 1}`,
  }))
  await domain.db
    .transaction()
    .execute((trx) => domain.jobs.send(trx, QUEUE, payloads, { backlog: undone.get(owner) ?? 0 }))
  add(sent, owner, count)
  add(undone, owner, count)
}

/** Takes the next job. @returns its name */
async function take(): Promise<{ id: string; name: string } | undefined> {
  const [job] = await domain.queue.boss.fetch<{ photoId: string }>(QUEUE.name)
  return job && { id: job.id, name: job.data.photoId }
}

/** Takes the next job and does it. */
async function doNext(): Promise<string | undefined> {
  const job = await take()
  if (!job) return undefined
  await domain.queue.boss.complete(QUEUE.name, job.id)
  add(undone, job.name.split(' ')[0]!, -1)
  return job.name
}

async function doAll(): Promise<string[]> {
  const done: string[] = []
  for (let name = await doNext(); name; name = await doNext()) done.push(name)
  return done
}

const numbered = (owner: string, from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => `${owner} ${from + index}`)

/** Lets the jobs that wait for their next try run. */
const endPauses = () =>
  sql`update pgboss.job set start_after = now() where name = ${QUEUE.name}`.execute(domain.db)

describe('owners take turns', () => {
  test('so six jobs that were sent after three hundred are soon done', async () => {
    await send('large', 300)
    for (let job = 0; job < 20; job++) await doNext()
    await send('small', 6)
    const order = await doAll()
    expect(order.indexOf('small 1')).toBeLessThanOrEqual(2)
    expect(order.indexOf('small 6')).toBeLessThanOrEqual(12)
    expect(order).toHaveLength(286)
  })

  test('and the jobs of an owner stay in their order, when they are sent in batches, too', async () => {
    await send('one', 4)
    await doNext()
    await send('two', 3)
    await send('one', 3)
    await doNext()
    await send('two', 2)
    const order = await doAll()
    expect(order.filter((name) => name.startsWith('one'))).toEqual(numbered('one', 3, 7))
    expect(order.filter((name) => name.startsWith('two'))).toEqual(numbered('two', 1, 5))
  })
})

test('an owner that is named has the turns after its jobs that wait, and not after those sent for later', async () => {
  const owner = (name: string) => domain.keyring.mac('address-hash', name)
  const sendAs = (name: string, count: number, afterSeconds = 0) =>
    domain.db.transaction().execute(async (trx) => {
      for (let job = 1; job <= count; job++)
        await domain.jobs.send(trx, QUEUE, [{ photoId: `${name} ${job}` }], {
          owner: owner(name),
          afterSeconds,
        })
    })
  await sendAs('small', 20, 3600)
  await sendAs('large', 30)
  await sendAs('small', 3)
  const order = await doAll()
  expect(order).toHaveLength(33)
  expect(order.indexOf('small 3')).toBeLessThanOrEqual(6)
})

describe('a job that failed', () => {
  test('keeps its turn', async () => {
    await send('one', 20)
    const failed = (await take())!
    await domain.queue.boss.fail(QUEUE.name, failed.id)
    expect(await doNext()).toBe('one 2')
    await endPauses()
    expect(await doNext()).toBe('one 1')
  })

  test('does not hold back the turn of new owners while it waits for its next try', async () => {
    await send('one', 60)
    const failed = (await take())!
    await domain.queue.boss.fail(QUEUE.name, failed.id)
    for (let job = 0; job < 40; job++) await doNext()
    // Their turn would come before all others if the failed job's turn were the current one.
    await send('two', 19)
    const order = await doAll()
    expect(order.indexOf('two 19')).toBeGreaterThanOrEqual(36)
  })

  test('is not overtaken by all that arrive when nothing else waits', async () => {
    await send('one', 30)
    for (let job = 0; job < 29; job++) await doNext()
    const failed = (await take())!
    await domain.queue.boss.fail(QUEUE.name, failed.id)
    await send('two', 20)
    await endPauses()
    expect(await doNext()).toBe('one 30')
  })
})

test('with 100,000 waiting jobs the next ones and their turn are found without reading the others', async () => {
  await send('one', 1)
  await sql`
    insert into pgboss.job (name, data, priority, created_on, start_after, policy)
    select name, data, -(number / 5), created_on, start_after, policy
    from pgboss.job, generate_series(1, 100000) as number
    where name = ${QUEUE.name}`.execute(domain.db)
  await sql`analyze pgboss.job`.execute(domain.db)

  const fetched = await planOf((query) => domain.queue.boss.fetch(QUEUE.name, { batchSize: 4, db: query }))
  const planOfQuery = (query: RawBuilder<unknown>) => {
    const { sql: text, parameters } = query.compile(domain.db)
    return planOf((db) => db.executeSql(text, [...parameters]))
  }
  const turn = await planOfQuery(nextTurnQuery(QUEUE.name))
  for (const plan of [fetched, turn]) {
    expect(plan).not.toMatch(/Seq Scan|Bitmap/)
    expect(plan).toMatch(/Index (Only )?Scan using \w+_i11 /)
    // What it sorts, if anything, are the jobs that it has found.
    for (const rows of plan.matchAll(/actual time=\S+ rows=(\d+)/g))
      expect(Number(rows[1])).toBeLessThanOrEqual(4)
    for (const removed of plan.matchAll(/Rows Removed by \w+: (\d+)/g)) expect(Number(removed[1])).toBe(0)
  }
})

interface Query {
  executeSql(text: string, values: unknown[]): Promise<{ rows: unknown[] }>
}

/** How Postgres executes the statement that is passed to the database. It changes nothing. */
async function planOf(send: (query: Query) => Promise<unknown>): Promise<string> {
  let plan = ''
  await domain.db
    .transaction()
    .execute(async (trx) => {
      await send({
        async executeSql(text, values) {
          const { rows } = await fromKysely(trx).executeSql(`explain (analyze, costs off) ${text}`, values)
          plan = rows.map((row: Record<string, string>) => row['QUERY PLAN']).join('\n')
          return { rows: [] }
        },
      })
      throw new Undone()
    })
    .catch((error) => {
      if (!(error instanceof Undone)) throw error
    })
  return plan
}

class Undone extends Error {}

test('a job that comes last comes after all others, and after those that failed less often', async () => {
  await send('often', 1)
  await send('once', 1)
  for (const attempt of [3, 1]) {
    const { id } = (await take())!
    await putLast(domain.db, QUEUE.name, id, attempt)
    await domain.queue.boss.fail(QUEUE.name, id)
  }
  await send('new', 2)
  await endPauses()
  expect(await doAll()).toEqual(['new 1', 'new 2', 'once 1', 'often 1'])
})
