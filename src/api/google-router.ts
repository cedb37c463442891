import { redeemSetupLink, setupLinkEnded } from '../admin/setup-link.ts'
import {
  authUrlOutput,
  exchangeCodeInput,
  exchangeCodeOutput,
  openSetupLinkInput,
} from '../contract/google.ts'
import { noGoogleClient, unknownCode } from '../mail/authorisation.ts'
import { codeRefused, googleUnavailable } from '../mail/google.ts'
import { permissionDenied } from '../mail/pasted-code.ts'
import { actorOf } from './actor.ts'
import { invalidExample } from './call-docs.ts'
import { maintainerProcedure } from './maintainer-procedure.ts'
import { type CallContext, procedure, router } from './trpc.ts'

async function begin({ services, origin }: CallContext) {
  const { authUrl, redirectUri } = await services.mailAuthorisation.begin(origin)
  return { authUrl, redirectUris: [redirectUri] }
}

/** `authUrl` and `helperAuthUrl` are the same call at the two paths of the specification (§7). */
export const mailSetupRouter = router({
  /** Gives the session the maintainer's rights. The web app makes this call when a set-up link is opened; it has no REST
   *  path. A link that is opened again in the same browser still works there. */
  openSetupLink: procedure.input(openSetupLinkInput).mutation(async ({ ctx, input }) => {
    const { services, visitor } = ctx
    // A link from before the settings changed.
    if (services.maintainers.access.kind !== 'setup-link') return await services.maintainers.require(visitor)
    if (await redeemSetupLink(services, input.token, actorOf(visitor, 'maintainer')))
      visitor.becomeMaintainer()
    else if (!visitor.isMaintainer) throw setupLinkEnded()
  }),

  authUrl: maintainerProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/gmail/auth-url',
        tags: ['mail set-up'],
        summary: 'Where to allow Inframe to send mail from a Gmail account',
        description:
          'Open the address in a browser that is logged in to the account that letters are to be sent from. It is valid for 15 minutes.',
      },
      docs: { caller: 'maintainer', errors: [noGoogleClient()] },
    })
    .output(authUrlOutput)
    .query(({ ctx }) => begin(ctx)),

  helperAuthUrl: maintainerProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/auth/gmail',
        tags: ['mail set-up'],
        summary: 'The same, for the helper page',
        description: 'As GET /gmail/auth-url.',
      },
      docs: { caller: 'maintainer', errors: [noGoogleClient()] },
    })
    .output(authUrlOutput)
    .query(({ ctx }) => begin(ctx)),

  exchangeCode: maintainerProcedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/gmail/callback',
        tags: ['mail set-up'],
        summary: 'Authorise with the code that Google gave',
        description:
          "The refresh token is stored encrypted and is in no answer. The server's console shows it once. Letters go through the account from then on, without a restart.",
      },
      docs: {
        caller: 'maintainer',
        errors: [
          invalidExample(exchangeCodeInput, { code: ' ' }),
          unknownCode(),
          codeRefused(),
          permissionDenied(),
          noGoogleClient(),
          googleUnavailable(),
        ],
      },
    })
    .input(exchangeCodeInput)
    .output(exchangeCodeOutput)
    .mutation(async ({ ctx: { services }, input }) => ({
      hasRefreshToken: await services.mailAuthorisation.complete(input),
    })),
})
