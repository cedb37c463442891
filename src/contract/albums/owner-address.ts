import { z } from 'zod'
import { emailAddress, ownedAlbumInput } from './albums.ts'

const shortAddress = (description: string) => z.string().meta({ description, example: 'o…@example.com' })

export const changeLetterAddressInput = ownedAlbumInput.extend({
  email: emailAddress.meta({
    description: 'The new address. One line.',
    example: 'organiser@example.com',
  }),
})

/** Where an album's letters go. */
export const letterAddress = z.object({
  address: shortAddress('The address that letters about the album go to, shortened.'),
  waiting: z
    .object({
      address: shortAddress('The new address, shortened.'),
      confirmBefore: z.iso.datetime().meta({
        description: 'Unless it is confirmed before this time, nothing changes.',
        example: '2025-08-20T16:30:00.000Z',
      }),
    })
    .nullable()
    .meta({
      description: 'A new address that waits to be confirmed.',
      example: { address: 'n…@example.com', confirmBefore: '2025-08-20T16:30:00.000Z' },
    }),
})
export type LetterAddress = z.infer<typeof letterAddress>

/** The answer to the page that the letter links to. Only the web app makes this call; it has no REST path. */
export const confirmLetterAddressOutput = z.object({ displayName: z.string(), albumName: z.string() })
export type ConfirmedAddress = z.infer<typeof confirmLetterAddressOutput>
