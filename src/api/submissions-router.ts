import {
  deleteSubmissionOutput,
  resultPhotosInput,
  resultPhotosOutput,
  resultsOutput,
  submissionInput,
} from '../contract/submissions.ts'
import { submissionPhotos, submissionResults } from '../search/submission-results.ts'
import { withdrawSubmission } from '../search/submissions.ts'
import { procedure, rest, router } from './trpc.ts'

/** The calls that need only the id of a submission. The id cannot be guessed. */
export const submissionsRouter = router({
  results: procedure
    .meta(rest('GET', '/results/{id}', 'What a submitted selfie has found so far'))
    .input(submissionInput)
    .output(resultsOutput)
    .query(({ ctx: { services, origin }, input }) => submissionResults(services, input.id, origin)),

  photos: procedure
    .meta(rest('GET', '/photos/{id}', 'All photos that a submitted selfie has found'))
    .input(resultPhotosInput)
    .output(resultPhotosOutput)
    .query(({ ctx: { services, origin }, input }) => submissionPhotos(services, input, origin)),

  delete: procedure
    .meta(rest('DELETE', '/submissions/{id}', 'Delete a submitted selfie and what it has found'))
    .input(submissionInput)
    .output(deleteSubmissionOutput)
    .mutation(async ({ ctx: { services }, input }) => {
      await withdrawSubmission(services, input.id)
      return { deleted: true as const }
    }),
})
