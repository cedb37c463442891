import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { domainOfFile } from '../testing/domain.ts'

const domain = await domainOfFile()

async function deletionSeconds(): Promise<number[]> {
  const { rows } = await sql<{ seconds: number }>`
    select distinct deletion_seconds as seconds from pgboss.queue`.execute(domain.db)
  return rows.map((row) => row.seconds)
}

/** Sends a job for each of these ages in minutes, and lets it end so long ago. */
async function completedJobs(agesInMinutes: number[]): Promise<void> {
  for (const age of agesInMinutes) {
    const id = await domain.jobs.boss.send('index-photos', { age })
    await sql`
      update pgboss.job set state = 'completed', completed_on = now() - make_interval(mins => ${age})
      where name = 'index-photos' and id = ${id}`.execute(domain.db)
  }
}

const jobsOf = (queue: string) => domain.jobs.boss.findJobs<{ age: number }>(queue)

/** Lets pg-boss do what it does every few seconds, as if it had not done so for an hour. */
async function supervise(): Promise<void> {
  await sql`
    update pgboss.queue set
      maintain_on = now() - interval '1 hour', monitor_claim_on = now() - interval '1 hour'`.execute(
    domain.db,
  )
  await domain.jobs.boss.supervise()
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

test('a job whose process died is given to another one', async () => {
  const id = await domain.jobs.boss.send('send-letter', {})
  await sql`
    update pgboss.job set state = 'active', started_on = now(), heartbeat_on = now() - interval '1 minute'
    where name = 'send-letter' and id = ${id}`.execute(domain.db)
  await supervise()
  const [job] = await jobsOf('send-letter')
  expect(job!.state).toBe('retry')
})

test('the metrics have the waiting, deferred and active jobs of each queue, and no ended ones', async () => {
  const { boss, figures } = domain.jobs
  for (let sent = 0; sent < 3; sent++) await boss.send('match-selfie', {})
  await boss.send('match-selfie', {}, { startAfter: 600 })
  await boss.fetch('match-selfie')
  await completedJobs([1])
  await supervise()
  const counts = (queue: string) => figures().then((all) => all.filter((figure) => figure.queue === queue))
  expect(await counts('match-selfie')).toEqual([
    { queue: 'match-selfie', state: 'waiting', count: 2 },
    { queue: 'match-selfie', state: 'deferred', count: 1 },
    { queue: 'match-selfie', state: 'active', count: 1 },
  ])
  expect((await counts('index-photos')).map(({ count }) => count)).toEqual([0, 0, 0])
})
