import { z } from 'zod'
import { ZIP_MAX_PHOTOS, ZIP_PART_MAX_BYTES, ZIP_PART_MIN_BYTES } from './limits.ts'

const NUMBER_OF_PHOTOS = `A zip is made of 1 to ${ZIP_MAX_PHOTOS} photos`
const PART_SIZE = `partBytes must be a whole number from ${ZIP_PART_MIN_BYTES} to ${ZIP_PART_MAX_BYTES}`

export const zipInput = z.object({
  photos: z
    .array(z.string().max(500, 'An address of a photo is too long'), NUMBER_OF_PHOTOS)
    .min(1, NUMBER_OF_PHOTOS)
    .max(ZIP_MAX_PHOTOS, NUMBER_OF_PHOTOS)
    .meta({
      description:
        'Addresses of photos, as searches and results answer them, in any of the sizes. The origin may be left out, which keeps a call with many photos small enough.',
      example: [
        '/photos/9a8b7c6d-5e4f-4a3b-8c2d-1e0f9a8b7c6d/download?e=1755625500&v=1&s=mB8vK2jRdC7eLq4wUgSx0Q',
      ],
    }),
  submissionId: z.string().max(100, 'submissionId must have at most 100 characters').optional().meta({
    description:
      'The submission whose results have these photos. Then the addresses of the parts end when it is deleted, or after 5 minutes if it has been deleted already.',
    example: '7d0c9a52-4f6e-4b7a-9c1d-2e8f5a6b3c4d',
  }),
  partBytes: z.coerce
    .number(PART_SIZE)
    .int(PART_SIZE)
    .min(ZIP_PART_MIN_BYTES, PART_SIZE)
    .max(ZIP_PART_MAX_BYTES, PART_SIZE)
    .default(ZIP_PART_MAX_BYTES)
    .meta({
      description: 'The largest size of a part in bytes. A photo that is larger has a part of its own.',
      example: 500_000_000,
    }),
})
export type ZipInput = z.output<typeof zipInput>

const count = (description: string, example: number) => z.number().int().meta({ description, example })

export const zipOutput = z.object({
  photosReady: count('How many photos are prepared.', 40),
  photosTotal: count('How many photos will be in the parts together.', 40),
  photosLeftOut: count('Photos that have been removed, or cannot be read any more.', 0),
  parts: z
    .array(
      z.object({
        url: z.string().meta({
          description:
            'Gives the part to anyone, and ends with the first of the addresses of the photos, or with the results of `submissionId`. A download that has begun can be continued for one more hour: with `Range`, and the `ETag` in `If-Range`. All of it ends as soon as the password changes or one of the photos is removed. Then make the call again.',
          example:
            'https://inframe.example/zips/3Jm5Zq8uYk1oWbT7sRcX0mijnNwAAAABAAEAAZqLfG1eT0o7jC0eD5qLfG0AAQ',
        }),
        filename: z
          .string()
          .meta({ description: 'The name of the file.', example: 'my-summer-wedding-2025.zip' }),
        bytes: count('The size of the file.', 118_204_511),
        photos: count('How many photos are in it.', 40),
      }),
    )
    .meta({ description: 'Empty while photos are still prepared: then make the same call again.' }),
})
export type ZipOutput = z.infer<typeof zipOutput>
