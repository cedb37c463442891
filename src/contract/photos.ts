import { z } from 'zod'
import { ROUND_MAX_PHOTOS } from './limits.ts'

function count(name: string) {
  const message = `${name} is a whole number from 1 to ${ROUND_MAX_PHOTOS}`
  return z.coerce.number(message).int(message).min(1, message).max(ROUND_MAX_PHOTOS, message).optional()
}

/** The fields that may stand beside the photos of a batch. They arrive as text. A retried batch has none. */
export const uploadFields = z.object({
  totalIntendedPhotos: count('totalIntendedPhotos'),
  batchNumber: count('batchNumber'),
  totalBatches: count('totalBatches'),
})
export type UploadFields = z.infer<typeof uploadFields>

/** What became of one file: kept, kept already (the same bytes), or refused with the reason in `message`. */
export const fileVerdict = z.object({
  filename: z.string(),
  status: z.enum(['stored', 'duplicate', 'refused']),
  message: z.string().optional(),
})
export type FileVerdict = z.infer<typeof fileVerdict>

export const uploadOutput = z.object({
  successful: z.number().int(),
  failed: z.number().int(),
  files: z.array(fileVerdict),
})
export type UploadOutput = z.infer<typeof uploadOutput>
