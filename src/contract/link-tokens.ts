import { z } from 'zod'

/** Calls of the links in letters. Only the web app makes them; they have no REST path. */

export const letterTokenInput = z.object({
  token: z.string('token is missing').max(500, 'The link of the letter is too long'),
})

export const confirmAddressOutput = z.object({ confirmed: z.literal(true) })
export const endLettersOutput = z.object({
  /** The letters had ended before this call. */
  hadEnded: z.boolean(),
})
