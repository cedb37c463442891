import { z } from 'zod'
import { consentFields } from './consent.ts'
import { MOST_POSSIBLE, PAGE_MAX_PHOTOS } from './limits.ts'
import { cursorOf, pageSize } from './paging.ts'
import { matchedFace, matchedPhoto } from './search.ts'
import { SIMILARITY_AND_UUID } from './uuid.ts'

const SUBMISSION_ID = '7d0c9a52-4f6e-4b7a-9c1d-2e8f5a6b3c4d'

/** The fields beside the `photo` of a submission. */
export const submitFields = consentFields.extend({
  source: z
    .string()
    .max(100, 'source must have at most 100 characters')
    .optional()
    .meta({ description: 'The page that the selfie was chosen on. The web app sends `homepage`.' }),
  userAlbumId: z.string().max(500).optional().meta({
    description:
      'The owner key of the album to search. Without it all albums that this session may see are searched.',
  }),
})
export const submitOutput = z.object({
  redirectTo: z.string().meta({
    description: 'The page to show next: /selfie/results/{id} or /selfie/no-results.',
    example: `/selfie/results/${SUBMISSION_ID}`,
  }),
})
export type SubmitOutput = z.infer<typeof submitOutput>

/** Any text that is not the id of a submission is answered with "not found". */
export const submissionInput = z.object({
  id: z.string().meta({
    description: 'The id at the end of the `redirectTo` that POST /submit-photo answered.',
    example: SUBMISSION_ID,
  }),
})

export const resultPhoto = matchedPhoto.omit({ similarity: true })
export type ResultPhoto = z.infer<typeof resultPhoto>

const possibleResult = resultPhoto.extend({
  face: matchedFace
    .extend({ id: matchedFace.shape.id.meta({ description: 'Tells the faces of an answer apart.' }) })
    .meta({ description: 'The face that the person should be asked about.' }),
})
export type PossibleResult = z.infer<typeof possibleResult>

export const resultsOutput = z.object({
  processed: z.boolean().meta({ description: 'False: ask again in two seconds.', example: true }),
  totalMatches: z.number().int().meta({ description: 'The number of photos found.', example: 1 }),
  photos: z
    .array(resultPhoto)
    .optional()
    .meta({ description: 'Best match first. Missing when there are more than 20.' }),
  possible: z.array(possibleResult).max(MOST_POSSIBLE).optional().meta({
    description:
      'Other photos that may show the person, best match first, each with the face in question. Ask the person. They are not counted in `totalMatches`. Missing while `processed` is false, and with `hasFailed`.',
  }),
  hasFailed: z.literal(true).optional().meta({
    description:
      'The selfie could not be matched within five minutes, so it was deleted. This says nothing about the photos: submit the selfie again.',
    example: true,
  }),
})
export type Results = z.infer<typeof resultsOutput>

const CURSOR = '97.4_9a8b7c6d-5e4f-4a3b-8c2d-1e0f9a8b7c6d'

const resultPhotosCursor = cursorOf(SIMILARITY_AND_UUID).meta({
  description: 'The `nextCursor` of the previous page. Without it: the first page.',
  example: CURSOR,
})

export const resultPhotosInput = submissionInput.extend({
  limit: pageSize(PAGE_MAX_PHOTOS)
    .meta({ description: 'The largest number of photos in the answer. Without it: all.', example: 200 })
    .optional(),
  cursor: resultPhotosCursor.optional(),
})
export type ResultPhotosPage = z.output<typeof resultPhotosInput>
export const resultPhotosOutput = z.object({
  photos: z.array(resultPhoto).meta({ description: 'Best match first.' }),
  nextCursor: z
    .string()
    .optional()
    .meta({ description: 'The `cursor` of the next page. Missing on the last page.', example: CURSOR }),
})
export type ResultPhotos = z.infer<typeof resultPhotosOutput>

export const deleteSubmissionOutput = z.object({
  deleted: z.literal(true).meta({ description: 'Selfie and results are deleted.', example: true }),
})
