import { z } from 'zod'
import { albumNameInput } from './albums.ts'
import { consentFields } from './consent.ts'
import { FOUND_PAGE_MAX_PHOTOS } from './limits.ts'
import { filename } from './photos.ts'

const PAGE_SIZE = `A page has 1 to ${FOUND_PAGE_MAX_PHOTOS} photos`

export const searchFields = consentFields.extend({
  albumName: z
    .string('albumName is missing')
    .min(1)
    .max(500)
    .meta({ description: "The album's url-safe name, as in its link." }),
  limit: z.coerce
    .number(PAGE_SIZE)
    .int(PAGE_SIZE)
    .min(1, PAGE_SIZE)
    .max(FOUND_PAGE_MAX_PHOTOS, PAGE_SIZE)
    .meta({
      description: 'Gives only so many photos, and the others in pages of so many. Without it: all photos.',
      example: 180,
    })
    .optional(),
})

const exampleLink = (size: string, signature: string) =>
  `https://inframe.example/photos/9a8b7c6d-5e4f-4a3b-8c2d-1e0f9a8b7c6d/${size}?e=1755625500&v=1&s=${signature}`

const FULL_SIZE = exampleLink('full', 'q2Zb7yWnT0mQ4xJd8rVkLw')

export const matchedPhoto = z.object({
  url: z.string().meta({
    description:
      'Full size, upright, without metadata. Addresses expire after an hour, and as soon as the password changes.',
    example: FULL_SIZE,
  }),
  thumbUrl: z.string().meta({
    description: 'WEBP of at most 640 pixels on its long side.',
    example: exampleLink('thumb', 'Xc5uH1oPzE9aGf6sNiYt3A'),
  }),
  previewUrl: z.string().meta({
    description: 'JPEG of at most 2000 pixels on its long side, upright, without metadata, to fill a screen.',
    example: exampleLink('preview', 'hY3pLw9VbKs0tRj5nFzD7A'),
  }),
  downloadUrl: z.string().meta({
    description: 'Full size, as an attachment with this filename.',
    example: exampleLink('download', 'mB8vK2jRdC7eLq4wUgSx0Q'),
  }),
  filename: filename.meta({
    description: 'The name of the download: as the client named the file, with the extension of its type.',
  }),
  width: z.number().int().optional().meta({
    description: 'Of the photo at full size, in pixels. Every answer of this version has it.',
    example: 4032,
  }),
  height: z.number().int().optional().meta({
    description: 'Of the photo at full size, in pixels. Every answer of this version has it.',
    example: 3024,
  }),
  placeholder: z.string().optional().meta({
    description:
      'Twelve colours to show, blurred, while the photo loads: base64 of 36 bytes, red, green and blue of each, row by row. Four columns and three rows, or three columns and four rows for a photo that is higher than wide. Missing for a while after an update from a version without placeholders.',
    example: 'iHJgmYFsnoVwlHxojHVjpYpys5Z6o4dtXk5Dc2FUfmpbb15R',
  }),
  similarity: z.number().meta({ description: "0–100, of the photo's best matching face.", example: 97.4 }),
})
export type MatchedPhoto = z.infer<typeof matchedPhoto>

export const searchOutput = z.object({
  matchedPhotos: z
    .array(z.string())
    .meta({ description: 'The full-size addresses only, best match first.', example: [FULL_SIZE] }),
  photos: z.array(matchedPhoto).meta({ description: 'Best match first.' }),
  totalMatches: z.number().int().meta({ description: 'The number of photos found.', example: 1 }),
  nextPages: z.array(z.string()).optional().meta({
    description:
      'Only with `limit`: the other pages in order, each as the `page` of GET /albums/{albumName}/found-photos.',
    example: [],
  }),
})
export type SearchOutput = z.infer<typeof searchOutput>

/** Any text that is not a page of the album is refused. */
export const foundPhotosInput = albumNameInput.extend({
  page: z.string().max(10_000, 'This is longer than any page').meta({
    description: 'One of the `nextPages` that POST /search-in-album answered.',
    example: '9ZpQ2kX0bW7sYtR3uV6m1JqLw5-4f05rfEo7jC0eD5qLfCYM',
  }),
})
export const foundPhotosOutput = z.object({
  photos: z.array(matchedPhoto).meta({ description: 'Best match first.' }),
})
export type FoundPhotos = z.infer<typeof foundPhotosOutput>
