import { z } from 'zod'
import { matchSubmission } from '../search/match-selfie.ts'
import { forgetSelfie } from '../search/submission-retention.ts'
import { defineQueue } from './define-queue.ts'

/** With growing pauses about half a minute, in which a dead face worker is long replaced. Somebody is waiting,
 *  and the selfie may not stay. */
const ATTEMPTS = 5

/** Finds the photos of one handed-in selfie. A queue of its own: no selfie waits behind an album. */
export const matchSelfie = defineQueue({
  name: 'match-selfie',
  payload: z.object({ submissionId: z.uuid() }),
  options: { retryLimit: ATTEMPTS - 1 },
  // The face engine always has the next selfie while an outcome is recorded.
  work: ({ cores, engine }) => ({ localConcurrency: engine === 'embedded' ? cores + 1 : 16 }),
  async handle(deps, { submissionId }, { attempt }) {
    try {
      await matchSubmission(deps, submissionId)
    } catch (error) {
      if (attempt < ATTEMPTS) throw error
      deps.log.warn({ attempt, err: error }, 'A selfie is given up')
      await forgetSelfie(deps, submissionId)
    }
  },
})
