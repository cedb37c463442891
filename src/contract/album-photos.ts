import { z } from 'zod'
import { albumNameInput } from './albums.ts'
import { PAGE_MAX_PHOTOS, PHOTOS_LOADED_AT_ONCE } from './limits.ts'
import { resultPhoto } from './submissions.ts'

const PAGE_SIZE = `A page has 1 to ${PAGE_MAX_PHOTOS} photos`
const CURSOR = '1755621000000000.9a8b7c6d-5e4f-4a3b-8c2d-1e0f9a8b7c6d.IMG_0001.jpg'

/** A place in the list: microseconds since 1970, a photo's id, and the name of its file. */
const browseCursor = z
  .string()
  .regex(
    /^\d{1,16}\.[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}\.\P{Cc}{0,400}$/u,
    'This is not a cursor of the list',
  )
  .meta({
    description: 'The `nextCursor` of the previous page. Without it: the first page.',
    example: CURSOR,
  })

export const browseInput = albumNameInput.extend({
  // Over REST it arrives as text.
  limit: z.coerce
    .number(PAGE_SIZE)
    .int(PAGE_SIZE)
    .min(1, PAGE_SIZE)
    .max(PAGE_MAX_PHOTOS, PAGE_SIZE)
    .default(PHOTOS_LOADED_AT_ONCE)
    .meta({ description: 'The largest number of photos in the answer.' }),
  cursor: browseCursor.optional(),
})
export type BrowsedPage = z.output<typeof browseInput>

export const browseOutput = z.object({
  photos: z.array(resultPhoto).meta({
    description: 'In the order of their upload: batch by batch, and in a batch by the names of the files.',
  }),
  totalPhotos: z.number().int().meta({ description: 'The number of photos on all pages.', example: 1 }),
  nextCursor: z
    .string()
    .optional()
    .meta({ description: 'The `cursor` of the next page. Missing on the last page.', example: CURSOR }),
})
export type BrowsedPhotos = z.infer<typeof browseOutput>
