import { recordEvent } from '../audit/audit-log.ts'
import { actorOf } from './actor.ts'
import { procedure } from './trpc.ts'

/** A call for the maintainer of this Inframe. The caller is checked before the input. */
export const maintainerProcedure = procedure.use(async ({ ctx: { services, visitor }, next }) => {
  await services.maintainers.require(visitor)
  // A set-up link was recorded when it was opened.
  if (services.maintainers.access.kind === 'token')
    await recordEvent(services, { event: 'maintainer entered', by: actorOf(visitor, 'maintainer') })
  return next()
})
