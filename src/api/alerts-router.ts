import { RATE_LIMITS, tooManyCalls } from '../albums/rate-limits.ts'
import { confirmAlert, endAlert, readAlertState } from '../alerts/alert-answers.ts'
import { alertStateOutput, confirmAlertOutput, endAlertInput, endAlertOutput } from '../contract/alerts.ts'
import { letterTokenInput } from '../contract/link-tokens.ts'
import { invalidLetterLink } from '../letters/links.ts'
import { invalidExample } from './call-docs.ts'
import { procedure, router } from './trpc.ts'

/** What a guest does with the links of the letters about new photos. The token is all that is needed. */
export const alertsRouter = router({
  confirm: procedure
    .input(letterTokenInput)
    .output(confirmAlertOutput)
    .mutation(({ ctx: { services, visitor }, input: { token } }) =>
      confirmAlert(services, { token, address: visitor.address }),
    ),

  // A mutation, so that the token is in no address.
  read: procedure
    .input(letterTokenInput)
    .output(alertStateOutput)
    .mutation(({ ctx: { services, visitor }, input: { token } }) =>
      readAlertState(services, { token, address: visitor.address }),
    ),

  end: procedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/alerts/end',
        tags: ['albums'],
        summary: 'End the letters about new photos',
        description: 'Deletes the address and what finds the guest at once. May be repeated.',
      },
      docs: {
        caller: 'anyone',
        errors: [
          invalidExample(endAlertInput, {}),
          invalidLetterLink(),
          tooManyCalls(RATE_LIMITS.wrongSecret),
        ],
      },
    })
    .input(endAlertInput)
    .output(endAlertOutput)
    .mutation(({ ctx: { services, visitor }, input: { token } }) =>
      endAlert(services, { token, address: visitor.address }),
    ),
})
