import { redeemSetupLink, setupLinkEnded } from '../admin/setup-link.ts'
import { recordEvent } from '../audit/audit-log.ts'
import {
  authUrlOutput,
  exchangeCodeInput,
  exchangeCodeOutput,
  openSetupLinkInput,
} from '../contract/google.ts'
import { actorOf } from './actor.ts'
import { type CallContext, procedure, rest, router } from './trpc.ts'

/** A call for the maintainer of this Inframe. The caller is checked before the input. */
const maintainerProcedure = procedure.use(async ({ ctx: { services, visitor }, next }) => {
  await services.maintainers.require(visitor)
  // A set-up link was recorded when it was opened.
  if (services.maintainers.access.kind === 'token')
    await recordEvent(services, { event: 'maintainer entered', by: actorOf(visitor, 'maintainer') })
  return next()
})

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
    .meta(rest('GET', '/gmail/auth-url', 'Where to allow Inframe to send mail from a Gmail account'))
    .output(authUrlOutput)
    .query(({ ctx }) => begin(ctx)),

  helperAuthUrl: maintainerProcedure
    .meta(rest('GET', '/auth/gmail', 'The same, for the helper page'))
    .output(authUrlOutput)
    .query(({ ctx }) => begin(ctx)),

  exchangeCode: maintainerProcedure
    .meta(rest('POST', '/gmail/callback', 'Authorise with the code that Google gave'))
    .input(exchangeCodeInput)
    .output(exchangeCodeOutput)
    .mutation(async ({ ctx: { services }, input }) => ({
      hasRefreshToken: await services.mailAuthorisation.complete(input),
    })),
})
