import { z } from 'zod'

export const authUrlOutput = z.object({
  /** Where the maintainer allows the service to send mail. It is good for 15 minutes. */
  authUrl: z.string(),
  /** The addresses to register with the OAuth client in Google's console. */
  redirectUris: z.array(z.string()),
})

export const exchangeCodeInput = z.object({
  /** The code, or the whole address that Google sent the browser to. */
  code: z
    .string('Please enter the authorization code')
    .trim()
    .min(1, 'Please enter the authorization code')
    .max(4000, 'That is longer than any authorization code'),
  /** As it stands in that address. */
  state: z.string().trim().max(500, 'That is longer than any state').optional(),
})
export const exchangeCodeOutput = z.object({
  /** False: Google gave none, and nothing has changed. */
  hasRefreshToken: z.boolean(),
})
