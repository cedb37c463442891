import { z } from 'zod'
import { sendLetter as send } from '../letters/send.ts'
import { defineQueue } from './define-queue.ts'

/** Sends letters. A mail server may take minutes for one, and the letters to others do not wait for it: see `sendJobs`. What a
 *  server does not take now is tried for as long as other work, with pauses of at most an hour. */
export const sendLetter = defineQueue({
  name: 'send-letter',
  payload: z.object({ letterId: z.uuid() }),
  options: { retryDelayMax: 3_600 },
  work: () => ({ localConcurrency: 18, localGroupConcurrency: 3 }),
  handle: (deps, { letterId }) => send(deps, letterId),
})
