import { z } from 'zod'
import { LIST_MAX_ALBUMS } from '../limits.ts'
import { cursorOf } from '../paging.ts'
import { TIME_AND_UUID } from '../uuid.ts'
import { albumSummary } from './albums.ts'

const listCursor = cursorOf(TIME_AND_UUID).meta({
  description: 'The `cursor` in the `Link` header of the previous page. Without it: the first page.',
  example: '1755621000000000.3f1b2c4d-5e6f-4a7b-8c9d-0e1f2a3b4c5d',
})

export const listAlbumsInput = z.object({
  cursor: listCursor.optional(),
  // Over REST it arrives as text.
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(LIST_MAX_ALBUMS, `At most ${LIST_MAX_ALBUMS} albums on one page`)
    .default(LIST_MAX_ALBUMS)
    .meta({ description: 'The largest number of albums in the answer.' }),
})
export const listAlbumsOutput = z.array(albumSummary)
export const listHeaders = z.object({
  Link: z.string().optional().meta({
    description: 'The address of the next page, as `<…>; rel="next"` (RFC 8288). Missing on the last page.',
    example: '<https://inframe.example/api/albums/list?limit=100&cursor=…>; rel="next"',
  }),
})

/** For a call that only the web app makes. */
export const listPageOutput = z.object({
  albums: listAlbumsOutput,
  nextCursor: z.string().optional(),
})
