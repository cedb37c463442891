import { z } from 'zod'
import { albumNameInput, ownedAlbumInput } from './albums/albums.ts'
import { OPT_OUTS_LISTED } from './limits.ts'
import { searchTokenInput } from './search-token.ts'

/** Faces that one call can opt out. It is also the most that a search hands over. */
export const OPT_OUT_MAX_FACES = 1_000

/** The owner's page shows so many of the photos that a guest asks to hide. */
export const HIDE_THUMBS_SHOWN = 24

const OPT_OUT_ID = '0d4c7f7e-58a1-4c4b-9b46-9d3f3f6c1c55'

// Not z.boolean(): over REST, trpc-openapi would read any text as true, also 'false'.
const yesOrNo = (name: string) => z.literal([true, false], `${name} must be true or false`)

export const optOutInput = albumNameInput.extend({
  searchToken: searchTokenInput.meta({
    description:
      'That of a search with a new selfie: the faces that it surely finds are taken out. The selfie must be of the last hour.',
    example: 'Av9yQp3mXc7dRk…',
  }),
  except: z
    .array(z.uuid('except has ids of faces'))
    .max(OPT_OUT_MAX_FACES, `except has at most ${OPT_OUT_MAX_FACES} ids`)
    .optional()
    .meta({ description: 'The ids of those faces that are not of the caller.', example: [] }),
  hidePhotos: yesOrNo('hidePhotos').optional().meta({
    description:
      'Asks the owner to hide the photos of these faces. The owner decides, and sees which photos they are. So this tells the owner who asks.',
    example: false,
  }),
  keepOut: yesOrNo('keepOut').optional().meta({
    description:
      'Consents that the service keeps an encrypted description of these faces until the album is erased, so that faces of the same person in future photos are not searched for. Only where `optOut.canKeepOut` of the search is true.',
    example: false,
  }),
})

const count = z.number().int()

const time = z.iso.datetime()

/** What the holder of its receipt and the owner may learn about an opt-out. */
const optOutState = z.object({
  state: z.enum(['active', 'undone', 'erased']).meta({
    description:
      '`active`: no search shows the faces, and this can be undone. `undone`, with the receipt or by the owner: the faces are found again. `erased`: the descriptions of the faces are gone for good.',
    example: 'active',
  }),
  faces: count.meta({ description: 'How many faces it is about.', example: 12 }),
  at: time.meta({ description: 'When it was asked for, in UTC.', example: '2025-08-19T16:30:00.000Z' }),
  eraseAt: time.meta({
    description:
      'When the faces were erased, or are erased at the earliest, in UTC: 72 hours after they were hidden. They are not erased before the owner was sent a letter about it.',
    example: '2025-08-22T16:30:00.000Z',
  }),
})
export type OptOutStateName = z.infer<typeof optOutState>['state']

const receipt = z.string('receipt is missing').max(500, 'The receipt is too long').meta({
  description:
    'The receipt. With it, the opt-out can be undone until its faces are erased. It says nothing about the person, and cannot be guessed.',
  example: 'DUx_flihTEubRp0_PxxcVdZ1pA3mV0yqkJc2x5rT9uE',
})

export const optOutOutput = optOutState.extend({
  receipt,
  photosToHide: count.meta({ description: 'How many photos the owner is asked to hide.', example: 0 }),
  isKeptOut: z.boolean().meta({
    description: 'Whether faces of the same person in future photos are hidden, too.',
    example: false,
  }),
})
export type OptOutOutput = z.infer<typeof optOutOutput>

export const receiptInput = z.object({ receipt })

export const receiptOutput = optOutState.extend({
  displayName: z.string().meta({ description: 'The name of the album.', example: 'Anna & Tom' }),
  albumName: z.string().meta({ description: 'The last part of its link.', example: 'anna-tom' }),
})
export type ReceiptOutput = z.infer<typeof receiptOutput>

const NUMBER_OF_OPT_OUTS = `ids must be 1 to ${OPT_OUTS_LISTED} ids of opt-outs`
export const answerOptOutsInput = ownedAlbumInput.extend({
  ids: z
    .array(z.uuid(NUMBER_OF_OPT_OUTS), NUMBER_OF_OPT_OUTS)
    .min(1, NUMBER_OF_OPT_OUTS)
    .max(OPT_OUTS_LISTED, NUMBER_OF_OPT_OUTS)
    .meta({ description: 'The ids of opt-outs of the album.', example: [OPT_OUT_ID] }),
  change: z.enum(['revoke', 'hide', 'show'], 'change must be revoke, hide or show').meta({
    description:
      '`revoke`: searches find the faces again. `hide` and `show`: the photos that the guest asks to hide.',
    example: 'revoke',
  }),
})
export type OwnersChange = z.infer<typeof answerOptOutsInput>['change']

export const optOutsOutput = z.object({
  optOuts: z
    .array(
      optOutState.extend({
        id: z.string().meta({ description: 'Its id. It says nothing about the guest.', example: OPT_OUT_ID }),
        hiding: z
          .object({
            count: count.meta({ description: 'How many photos.', example: 2 }),
            answer: z
              .enum(['hide', 'show'])
              .nullable()
              .meta({ description: "The owner's last answer; null before the first.", example: null }),
            thumbUrls: z.array(z.string()).meta({
              description: `Small pictures of the first photos that are currently shown, at most ${HIDE_THUMBS_SHOWN}.`,
              example: [],
            }),
          })
          .nullable()
          .meta({
            description: 'The guest asks to hide these photos; null when the guest does not ask for it.',
            example: null,
          }),
      }),
    )
    .meta({
      description: `The opt-outs, at most ${OPT_OUTS_LISTED}: those that can be revoked first, then the others; each the newest first.`,
    }),
})
export type OptOutsOutput = z.infer<typeof optOutsOutput>
