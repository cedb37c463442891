import { randomUUID } from 'node:crypto'
import { type KyselyPlugin, sql } from 'kysely'
import { expect, test } from 'vitest'
import { createLog } from '../log.ts'
import { queues } from '../queues/queues.ts'
import { createTestDatabase } from '../testing/database.ts'
import { waitUntil } from '../testing/wait.ts'
import { defineHandler, type JobDeps } from './define-handler.ts'
import { startJobs } from './registry.ts'

const HANDLERS = Object.values(queues).map((queue) => defineHandler(queue, { handle: async () => {} }))
/** Nothing listens here: the handlers are checked before the database is used. */
const NOWHERE = { connectionString: 'postgres://localhost:1/none' }

test('the start fails when a queue has no handler', async () => {
  const start = startJobs(NOWHERE, createLog('silent'), { handlers: HANDLERS.slice(1) })
  await expect(start).rejects.toThrow('The queue index-photos has 0 handlers instead of one')
})

/** Lets the job's own statements fail, and none of pg-boss's. */
const away: KyselyPlugin = {
  transformQuery({ node }) {
    if (node.kind === 'RawNode') throw new Error('The database is away')
    return node
  },
  transformResult: async ({ result }) => result,
}

test('a letter that failed ends with its own fault, also when it cannot be put last', async () => {
  const { db, address, drop } = await createTestDatabase()
  const log = createLog('silent')
  const queue = queues.tellFormerAddress
  const failing = defineHandler(queue, { handle: () => Promise.reject(new Error('No mail server')) })
  const handlers = [...HANDLERS.filter((one) => one.queue !== queue), failing]
  const jobs = await startJobs(address, log, { handlers })
  const faces = { engine: 'embedded' }
  const metrics = { jobs: { observe() {} } }
  const deps = { db: db.withPlugin(away), log, metrics, faces }
  await jobs.work(deps as unknown as JobDeps)
  await db.transaction().execute((trx) => jobs.sender.send(trx, queue, [{ changeId: randomUUID() }]))
  const output = await waitUntil('the fault', async () => {
    const { rows } = await sql<{ output: object | null }>`
      select output from pgboss.job where name = ${queue.name}`.execute(db)
    return rows[0]?.output ?? undefined
  })
  expect(output).toEqual({ message: 'Error: No mail server' })
  await jobs.stop()
  await drop()
})

test('a queue that fails again and again is logged once', async () => {
  const database = await createTestDatabase()
  const lines: string[] = []
  const log = createLog('error', { write: (line) => void lines.push(line) })
  const jobs = await startJobs(database.address, log)
  for (let count = 0; count < 40; count++) jobs.boss.emit('error', new Error('The database is away'))
  expect(lines).toHaveLength(1)
  await jobs.stop()
  await database.drop()
})
