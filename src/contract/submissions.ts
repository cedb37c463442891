import { z } from 'zod'
import { matchedPhoto } from './search.ts'

/** What may stand beside the `photo` of a submission. */
export const submitFields = z.object({
  /** Which page it came from. */
  source: z.string().max(100, 'source is at most 100 characters').optional(),
  /** The owner key. Without it the albums that this session may see are searched. */
  userAlbumId: z.string().max(500).optional(),
})
export const submitOutput = z.object({
  /** The page to show next: the results, or that there are none. */
  redirectTo: z.string(),
})
export type SubmitOutput = z.infer<typeof submitOutput>

/** An id that is none of ours simply is not found. */
export const submissionInput = z.object({ id: z.string() })

const resultPhoto = matchedPhoto.omit({ similarity: true })
export type ResultPhoto = z.infer<typeof resultPhoto>

export const resultsOutput = z.object({
  /** False: ask again in two seconds. */
  processed: z.boolean(),
  totalMatches: z.number().int(),
  /** Best match first; absent when there are more than 20. */
  photos: z.array(resultPhoto).optional(),
})
export type Results = z.infer<typeof resultsOutput>

export const resultPhotosOutput = z.object({ photos: z.array(resultPhoto) })
export type ResultPhotos = z.infer<typeof resultPhotosOutput>

export const deleteSubmissionOutput = z.object({ deleted: z.literal(true) })
