import { z } from 'zod'
import { albumSummary, emailAddress } from './albums/albums.ts'

/** The owner's ways into an album. */

export const sendMyAlbumsInput = z.object({
  email: emailAddress.meta({
    description: 'The address that letters about the albums go to. One line.',
    example: 'organiser@example.com',
  }),
})
export const sendMyAlbumsOutput = z.object({
  accepted: z.literal(true).meta({
    description:
      'A letter is sent if letters about any album go to this address. The answer is always the same.',
  }),
})

const token = z.string('token is missing').max(500, 'The link is too long').meta({
  description: 'What `device-links` has answered.',
  example: 'Xb3xampleTokenOfADevice',
})

export const deviceLinkOutput = z.object({
  token,
  endsAt: z.iso
    .datetime()
    .meta({ description: 'Until when it can be used.', example: '2025-08-19T16:40:00.000Z' }),
})
export const useDeviceLinkInput = z.object({ token })
export const useDeviceLinkOutput = z.object({ album: albumSummary.meta({ description: 'The album.' }) })
