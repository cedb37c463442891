import { z } from 'zod'

export const authUrlOutput = z.object({
  authUrl: z.string().meta({
    description: 'The address where the maintainer allows Inframe to send mail. It is valid for 15 minutes.',
    example:
      'https://accounts.google.com/o/oauth2/v2/auth?response_type=code&access_type=offline&scope=…&state=…&code_challenge=…',
  }),
  redirectUris: z.array(z.string()).meta({
    description: "The addresses to register with the OAuth client in Google's console.",
    example: ['https://inframe.example/gmail-oauth'],
  }),
})

/** For a call that only the web app makes. */
export const openSetupLinkInput = z.object({
  token: z.string().max(500, 'The set-up link is too long'),
})

export const exchangeCodeInput = z.object({
  code: z
    .string('Please enter the authorization code')
    .trim()
    .min(1, 'Please enter the authorization code')
    .max(4000, 'The authorization code is too long')
    .meta({
      description: 'The code, or the whole address that Google sent the browser to.',
      example: '4/0AVGzR1BexampleCode',
    }),
  state: z.string().trim().max(500, 'state is too long').optional().meta({
    description: 'The `state` of that address. Needed only when `code` is the bare code.',
    example: 'exampleState',
  }),
})
export const exchangeCodeOutput = z.object({
  hasRefreshToken: z
    .boolean()
    .meta({ description: 'False: Google gave no refresh token, and nothing has changed.', example: true }),
})
