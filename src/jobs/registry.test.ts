import { expect, test } from 'vitest'
import { createLog } from '../log.ts'
import { createTestDatabase } from '../testing/database.ts'
import { definePeriodicQueue } from './define-queue.ts'
import { byName, startJobs } from './registry.ts'

test('the start fails when a queue has two handlers', () => {
  const sweep = definePeriodicQueue('sweep', '* * * * *', async () => {})
  expect(() => byName([sweep, { ...sweep }])).toThrow('The queue sweep has two handlers')
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
