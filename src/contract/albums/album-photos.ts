import { z } from 'zod'
import { PAGE_MAX_PHOTOS, PHOTOS_LOADED_AT_ONCE } from '../limits.ts'
import { cursorOf, pageSize } from '../paging.ts'
import { resultPhoto } from '../submissions.ts'
import { TIME_UUID_AND_FILENAME } from '../uuid.ts'
import { albumNameInput } from './albums.ts'

const CURSOR = '1755621000000000.9a8b7c6d-5e4f-4a3b-8c2d-1e0f9a8b7c6d.IMG_0001.jpg'

const browseCursor = cursorOf(TIME_UUID_AND_FILENAME).meta({
  description: 'The `nextCursor` of the previous page. Without it: the first page.',
  example: CURSOR,
})

export const browseInput = albumNameInput.extend({
  limit: pageSize(PAGE_MAX_PHOTOS)
    .default(PHOTOS_LOADED_AT_ONCE)
    .meta({ description: 'The largest number of photos in the answer.' }),
  cursor: browseCursor.optional(),
})
export type BrowsedPage = z.output<typeof browseInput>

export const browseOutput = z.object({
  photos: z.array(resultPhoto).meta({
    description:
      'In the order in which they were taken, or else uploaded, and then by their names, with numbers as numbers.',
  }),
  totalPhotos: z.number().int().meta({ description: 'The number of photos on all pages.', example: 1 }),
  nextCursor: z
    .string()
    .optional()
    .meta({ description: 'The `cursor` of the next page. Missing on the last page.', example: CURSOR }),
})
export type BrowsedPhotos = z.infer<typeof browseOutput>
