import { z } from 'zod'
import { albumNameInput } from './albums.ts'
import { letterTokenInput } from './letters.ts'

/** Faces that one call can take out. It is also the most that a search hands over. */
export const TAKE_OUT_MAX_FACES = 1_000

// Not z.boolean(): over REST, trpc-openapi would read any text as true, also 'false'.
const yesOrNo = (name: string) => z.literal([true, false], `${name} must be true or false`)

export const takeOutInput = albumNameInput.extend({
  faces: z.string('faces is missing').max(30_000, 'The list of faces is too long').meta({
    description: 'The `takeOut.faces` of a search: the faces that it has surely found. Valid for an hour.',
    example: 'aKDkYJt6ZQ4n2m0kq3m0aZpQ2kX0bW7sYtR3uV6m1JqLw5',
  }),
  except: z
    .array(z.uuid('except has ids of faces'))
    .max(TAKE_OUT_MAX_FACES, `except has at most ${TAKE_OUT_MAX_FACES} ids`)
    .optional()
    .meta({ description: 'The ids of those faces that are not of the caller.', example: [] }),
  hidePhotos: yesOrNo('hidePhotos').optional().meta({
    description: 'Asks the owner to hide the photos of these faces. The owner decides.',
    example: false,
  }),
  keepOut: yesOrNo('keepOut').optional().meta({
    description:
      'Consents that the service keeps an encrypted description of these faces until the album is erased, so that faces of the same person in future photos are not searched for. Only where `takeOut.canKeepOut` of the search is true.',
    example: false,
  }),
})

const count = z.number().int()

export const takeOutOutput = z.object({
  receipt: z.string().meta({
    description: 'The number of this receipt. It says nothing about the person.',
    example: '0d4c7f7e-58a1-4c4b-9b46-9d3f3f6c1c55',
  }),
  at: z.iso.datetime().meta({ description: 'When, in UTC.', example: '2025-08-19T16:30:00.000Z' }),
  facesRemoved: count.meta({ description: 'How many faces were removed from the search.', example: 12 }),
  photosToHide: count.meta({
    description: 'How many photos the owner is asked to hide.',
    example: 0,
  }),
  isKeptOut: z.boolean().meta({
    description: 'Whether faces of the same person in future photos are not searched for.',
    example: false,
  }),
})
export type TakeOutOutput = z.infer<typeof takeOutOutput>

/** The calls of the page on which the owner answers. Only the web app makes them; they have no REST path. */

export const answerWishInput = letterTokenInput.extend({ answer: z.enum(['hide', 'show']) })

export const wishOutput = z.object({
  displayName: z.string(),
  albumName: z.string(),
  /** How many photos the guest wants to be hidden. */
  count,
  /** The owner's last answer. */
  answer: z.enum(['hide', 'show']).nullable(),
  /** Thumbnails of the first photos that are currently shown. */
  thumbUrls: z.array(z.string()),
})
export type WishOutput = z.infer<typeof wishOutput>
