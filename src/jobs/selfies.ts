import { z } from 'zod'
import { forgetSelfie, matchSubmission, purgeSubmissions as purge } from '../search/submissions.ts'
import { definePeriodicQueue, defineQueue } from './define-queue.ts'

/** The pauses between the tries are about half a minute in all, enough to replace a dead face worker. There are few,
 *  because a visitor waits and the selfie must be deleted soon. */
const TRIES_TO_MATCH = 5

/** Finds the photos that match a submitted selfie. A queue of its own: no selfie waits behind an album. */
export const matchSelfie = defineQueue({
  name: 'match-selfie',
  payload: z.object({ submissionId: z.uuid() }),
  options: { retryLimit: TRIES_TO_MATCH - 1 },
  // The face engine always has the next selfie while an outcome is recorded.
  work: ({ cores, engine }) => ({ localConcurrency: engine === 'embedded' ? cores + 1 : 16 }),
  async handle(deps, { submissionId }, { attempt }) {
    try {
      await matchSubmission(deps, submissionId)
    } catch (error) {
      if (attempt < TRIES_TO_MATCH) throw error
      deps.log.warn({ attempt, err: error }, 'A selfie is given up')
      await forgetSelfie(deps, submissionId)
    }
  },
})

/** Keeps the promise that a selfie is deleted within five minutes, whatever has crashed meanwhile. */
export const purgeSubmissions = definePeriodicQueue('purge-submissions', '* * * * *', (deps) => purge(deps))
