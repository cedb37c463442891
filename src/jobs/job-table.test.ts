import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDomain, type TestDomain } from '../testing/domain.ts'
import { readQueues } from './queue-queries.ts'

let domain: TestDomain

beforeAll(async () => {
  domain = await createTestDomain()
})
afterAll(() => domain?.close())

async function deletionSeconds(): Promise<number[]> {
  const { rows } = await sql<{ seconds: number }>`
    select distinct deletion_seconds as seconds from pgboss.queue`.execute(domain.db)
  return rows.map((row) => row.seconds)
}

/** Sends a job for each of these ages in minutes, and lets it end so long ago. */
async function completedJobs(agesInMinutes: number[]): Promise<void> {
  for (const age of agesInMinutes) {
    const id = await domain.queue.boss.send('index-photos', { age })
    await sql`
      update pgboss.job set state = 'completed', completed_on = now() - make_interval(mins => ${age})
      where name = 'index-photos' and id = ${id}`.execute(domain.db)
  }
}

const jobsOf = (queue: string) => domain.queue.boss.findJobs<{ age: number }>(queue)

/** Lets pg-boss do what it does every few seconds, as if it had not done so for an hour. */
async function supervise(): Promise<void> {
  await sql`
    update pgboss.queue set
      maintain_on = now() - interval '1 hour', monitor_claim_on = now() - interval '1 hour'`.execute(
    domain.db,
  )
  await domain.queue.boss.supervise()
}

test('every queue keeps ended jobs for an hour', async () => {
  expect(await deletionSeconds()).toEqual([3_600])
})

test('jobs that ended an hour ago are deleted, and no others', async () => {
  await completedJobs([1, 59, 61, 10_000])
  await supervise()
  const left = await jobsOf('index-photos')
  expect(left.map(({ data }) => data.age).sort()).toEqual([1, 59])
})

test('jobs that have ended are not counted', async () => {
  await completedJobs([1, 2, 3])
  await supervise()
  const { rows } = await sql<{ counted: number }>`
    select sum(total_count)::int as counted from pgboss.queue`.execute(domain.db)
  expect(rows).toEqual([{ counted: 0 }])
})

test('a job whose process died is given to another one', async () => {
  const id = await domain.queue.boss.send('send-letter', {})
  await sql`
    update pgboss.job set state = 'active', started_on = now(), heartbeat_on = now() - interval '1 minute'
    where name = 'send-letter' and id = ${id}`.execute(domain.db)
  await supervise()
  const [job] = await jobsOf('send-letter')
  expect(job!.state).toBe('retry')
})

test('the metrics have the waiting, deferred and active jobs of each queue, and the age of the oldest', async () => {
  const { boss } = domain.queue
  for (let sent = 0; sent < 3; sent++) await boss.send('match-selfie', {})
  await boss.send('match-selfie', {}, { startAfter: 600 })
  await boss.fetch('match-selfie')
  await completedJobs([1])
  await sql`
    update pgboss.job set created_on = now() - interval '40 seconds'
    where name = 'match-selfie' and state = 'active'`.execute(domain.db)
  const figures = (await readQueues(domain.db)).filter(({ queue }) => queue === 'match-selfie')
  const counts = Object.fromEntries(figures.map(({ state, count }) => [state, count]))
  expect(counts).toEqual({ waiting: 2, deferred: 1, active: 1 })
  const oldest = figures.find(({ state }) => state === 'active')!.oldestSeconds
  expect(oldest).toBeGreaterThanOrEqual(40)
  expect(oldest).toBeLessThan(100)
  expect((await readQueues(domain.db)).some(({ queue }) => queue === 'index-photos')).toBe(false)
})
