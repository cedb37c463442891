import {
  deleteSubmissionOutput,
  resultPhotosOutput,
  resultsOutput,
  submissionInput,
} from '../contract/submissions.ts'
import { submissionPhotos, submissionResults } from '../search/submission-results.ts'
import { withdrawSubmission } from '../search/submission-retention.ts'
import { procedure, router } from './trpc.ts'

/** Open to whoever holds a submission's id, which cannot be guessed. */
export const submissionsRouter = router({
  results: procedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/results/{id}',
        tags: ['submissions'],
        summary: 'What a handed-in selfie has found so far',
      },
    })
    .input(submissionInput)
    .output(resultsOutput)
    .query(({ ctx: { services, origin }, input }) => submissionResults(services, input.id, origin)),

  photos: procedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/photos/{id}',
        tags: ['submissions'],
        summary: 'All photos that a handed-in selfie has found',
      },
    })
    .input(submissionInput)
    .output(resultPhotosOutput)
    .query(({ ctx: { services, origin }, input }) => submissionPhotos(services, input.id, origin)),

  delete: procedure
    .meta({
      openapi: {
        method: 'DELETE',
        path: '/submissions/{id}',
        tags: ['submissions'],
        summary: 'Forget a handed-in selfie and what it has found',
      },
    })
    .input(submissionInput)
    .output(deleteSubmissionOutput)
    .mutation(async ({ ctx: { services }, input }) => {
      await withdrawSubmission(services, input.id)
      return { deleted: true as const }
    }),
})
