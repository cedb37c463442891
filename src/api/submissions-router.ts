import {
  deleteSubmissionOutput,
  resultPhotosInput,
  resultPhotosOutput,
  resultsOutput,
  submissionInput,
} from '../contract/submissions.ts'
import { submissionPhotos, submissionResults } from '../search/submission-results.ts'
import { withdrawSubmission } from '../search/submission-retention.ts'
import { storageFull, storageUnavailable } from '../storage/errors.ts'
import { invalidExample } from './call-docs.ts'
import { procedure, router } from './trpc.ts'

/** The calls that need only the id of a submission. The id cannot be guessed. */
export const submissionsRouter = router({
  results: procedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/results/{id}',
        tags: ['submissions'],
        summary: 'What a submitted selfie has found so far',
        description:
          'Ask every two seconds until `processed` is true. The results are deleted an hour after the selfie was submitted.',
      },
      docs: { caller: 'submitter' },
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
        summary: 'All photos that a submitted selfie has found',
        description:
          'Needed only when there are more than 20, because GET /results/{id} then leaves them out. With `limit` they come in pages.',
      },
      docs: {
        caller: 'submitter',
        errors: [invalidExample(resultPhotosInput, { id: '', cursor: 'x' })],
      },
    })
    .input(resultPhotosInput)
    .output(resultPhotosOutput)
    .query(({ ctx: { services, origin }, input }) => submissionPhotos(services, input, origin)),

  delete: procedure
    .meta({
      openapi: {
        method: 'DELETE',
        path: '/submissions/{id}',
        tags: ['submissions'],
        summary: 'Delete a submitted selfie and what it has found',
        description: 'The selfie, if it is still stored, and the results are deleted at once.',
      },
      docs: { caller: 'submitter', errors: [storageFull(), storageUnavailable()] },
    })
    .input(submissionInput)
    .output(deleteSubmissionOutput)
    .mutation(async ({ ctx: { services }, input }) => {
      await withdrawSubmission(services, input.id)
      return { deleted: true as const }
    }),
})
