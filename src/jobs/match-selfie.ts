import { queues, TRIES_TO_MATCH } from '../queues/queues.ts'
import { matchSubmission } from '../search/match-selfie.ts'
import { forgetSelfie } from '../search/submission-retention.ts'
import { defineHandler } from './define-handler.ts'

/** Finds the photos that match a submitted selfie. */
export const matchSelfie = defineHandler(queues.matchSelfie, {
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
