import { expect, test } from 'vitest'
import { createLog } from '../log.ts'
import { queues } from '../queues/queues.ts'
import { createTestDatabase } from '../testing/database.ts'
import { defineHandler } from './define-handler.ts'
import { startJobs } from './registry.ts'

const HANDLERS = Object.values(queues).map((queue) => defineHandler(queue, { handle: async () => {} }))
/** Nothing listens here: the handlers are checked before the database is used. */
const NOWHERE = { connectionString: 'postgres://localhost:1/none' }

test('the start fails when a queue has no handler', async () => {
  const start = startJobs(NOWHERE, createLog('silent'), { handlers: HANDLERS.slice(1) })
  await expect(start).rejects.toThrow('The queue index-photos has 0 handlers instead of one')
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
