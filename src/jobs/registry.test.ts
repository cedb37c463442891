import { expect, test } from 'vitest'
import { createLog } from '../log.ts'
import { queues } from '../queues/queues.ts'
import { defineHandler } from './define-handler.ts'
import { startJobs } from './registry.ts'

const HANDLERS = Object.values(queues).map((queue) => defineHandler(queue, { handle: async () => {} }))
/** Nothing listens here: the handlers are checked before the database is used. */
const NOWHERE = { connectionString: 'postgres://localhost:1/none' }

test('the start fails when a queue has no handler', async () => {
  const start = startJobs(NOWHERE, createLog('silent'), { handlers: HANDLERS.slice(1) })
  await expect(start).rejects.toThrow('The queue index-photos has 0 handlers instead of one')
})

test('the start fails when a queue has two handlers', async () => {
  const start = startJobs(NOWHERE, createLog('silent'), { handlers: [...HANDLERS, HANDLERS[1]!] })
  await expect(start).rejects.toThrow('The queue send-letter has 2 handlers instead of one')
})
