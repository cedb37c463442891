import { z } from 'zod'

const count = (description: string, example: number) => z.number().int().meta({ description, example })

const counts = {
  entered: count('Guests who have entered the album with its password, each counted once.', 120),
  searched: count('Guests who have searched with a selfie, each counted once.', 95),
  found: count('Guests who have found at least one photo of themselves, each counted once.', 91),
  noFace: count('Searches that found nothing because the selfie showed no clear face.', 3),
  nothing: count('Searches that found nothing because no photo surely shows the person.', 12),
  takenHome: count('Photos that guests have downloaded, singly and in zips.', 840),
  letters: count('Letters to guests about new photos of them.', 4),
}

/** Numbers only: nothing of a guest is stored. The owner is not counted. */
export const guestsOutput = z.object({
  ...counts,
  hours: z
    .array(
      z.object({
        hour: z.iso
          .datetime()
          .meta({ description: 'When the hour begins, in UTC.', example: '2025-08-19T16:00:00.000Z' }),
        ...counts,
      }),
    )
    .meta({ description: 'The hours in which anything was counted, the oldest first.' }),
})
export type GuestNumbers = z.infer<typeof guestsOutput>
