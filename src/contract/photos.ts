import { z } from 'zod'
import { ROUND_MAX_PHOTOS } from './limits.ts'
import { ONLY_JPEG_AND_PNG } from './wording.ts'

function count(name: string, description: string) {
  const message = `${name} must be a whole number from 1 to ${ROUND_MAX_PHOTOS}`
  return z.coerce
    .number(message)
    .int(message)
    .min(1, message)
    .max(ROUND_MAX_PHOTOS, message)
    .optional()
    .meta({ description })
}

/** The fields beside the photos of a batch. They arrive as text. A retried batch has none. */
export const uploadFields = z.object({
  totalIntendedPhotos: count(
    'totalIntendedPhotos',
    'The number of photos in all batches together. The upload round ends by itself when so many are stored.',
  ),
  batchNumber: count('batchNumber', 'The number of this batch, from 1. Only clients use it.'),
  totalBatches: count('totalBatches', 'The number of batches. Only clients use it.'),
})
export type UploadFields = z.infer<typeof uploadFields>

export const filename = z.string().meta({
  description: 'As the client named the file, without folders and hidden characters.',
  example: 'IMG_0001.jpg',
})

/** What happened to one file. */
const fileVerdict = z.object({
  filename,
  status: z
    .enum(['stored', 'duplicate', 'refused'])
    .meta({ description: 'Stored now, stored before (the same bytes), or refused.' }),
  message: z
    .string()
    .optional()
    .meta({ description: 'Why it was refused, or what is wrong with a photo that was stored.' }),
  reason: z.string().optional().meta({ description: 'Why it was refused, as the `reason` of an error.' }),
})
export type FileVerdict = z.infer<typeof fileVerdict>

export const uploadOutput = z.object({
  successful: z
    .number()
    .int()
    .meta({ description: 'The number of files stored, now or before.', example: 2 }),
  failed: z.number().int().meta({ description: 'The number of files refused.', example: 1 }),
  files: z.array(fileVerdict).meta({
    description: 'What happened to each file, in the order they were sent.',
    example: [
      { filename: 'IMG_0001.jpg', status: 'stored' },
      { filename: 'IMG_0002.jpg', status: 'duplicate' },
      {
        filename: 'notes.jpg',
        status: 'refused',
        message: ONLY_JPEG_AND_PNG,
        reason: 'unsupported_media_type',
      },
    ],
  }),
})
export type UploadOutput = z.infer<typeof uploadOutput>
