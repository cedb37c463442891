import { authUrlOutput, exchangeCodeInput, exchangeCodeOutput } from '../contract/mail-setup.ts'
import { maintainerProcedure } from './maintainer.ts'
import { type CallContext, router } from './trpc.ts'

async function begin({ services, origin }: CallContext) {
  const { authUrl, redirectUri } = await services.mailAuthorisation.begin(origin)
  return { authUrl, redirectUris: [redirectUri] }
}

/** The two addresses are one call at the two paths that clients know. */
export const mailSetupRouter = router({
  authUrl: maintainerProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/gmail/auth-url',
        tags: ['mail set-up'],
        summary: 'Where to allow Inframe to send mail from a Gmail account',
      },
    })
    .output(authUrlOutput)
    .query(({ ctx }) => begin(ctx)),

  helperAuthUrl: maintainerProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/auth/gmail',
        tags: ['mail set-up'],
        summary: 'The same, as the helper page asks for it',
      },
    })
    .output(authUrlOutput)
    .query(({ ctx }) => begin(ctx)),

  exchangeCode: maintainerProcedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/gmail/callback',
        tags: ['mail set-up'],
        summary: 'Authorise with the code that Google gave: letters go through that account from then on',
      },
    })
    .input(exchangeCodeInput)
    .output(exchangeCodeOutput)
    .mutation(async ({ ctx: { services }, input }) => ({
      hasRefreshToken: await services.mailAuthorisation.complete(input),
    })),
})
