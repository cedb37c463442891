import { sendLetter } from '../letters/send.ts'
import { queues } from '../queues/queues.ts'
import { defineHandler } from './define-handler.ts'

/** Sends letters. A mail server may take minutes for one, and the letters to others do not wait for it: see `sendJobs`. */
export const sendOutgoing = defineHandler(queues.sendLetter, {
  work: () => ({ localConcurrency: 18, localGroupConcurrency: 3 }),
  handle: (deps, { letterId }) => sendLetter(deps, letterId),
})
