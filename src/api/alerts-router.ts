import { requireAlbumOfGuest } from '../albums/access.ts'
import { addAlert } from '../alerts/add-alert.ts'
import { confirmAlert, endAlert, readAlertState } from '../alerts/alert-answers.ts'
import {
  addAlertInput,
  addAlertOutput,
  alertStateOutput,
  confirmAlertOutput,
  endAlertInput,
  endAlertOutput,
} from '../contract/alerts.ts'
import { letterTokenInput } from '../contract/link-tokens.ts'
import { procedure, rest, router } from './trpc.ts'

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
    .meta(rest('POST', '/alerts/end', 'End the letters about new photos'))
    .input(endAlertInput)
    .output(endAlertOutput)
    .mutation(({ ctx: { services, visitor }, input: { token } }) =>
      endAlert(services, { token, address: visitor.address }),
    ),
})

/** "Tell me when there are more." It is part of the albums router. The specification (§7) does not have it. */
export const alertProcedure = {
  addAlert: procedure
    .meta(rest('POST', '/albums/{albumName}/alerts', 'Write to a guest when there are more photos of them'))
    .input(addAlertInput)
    .output(addAlertOutput)
    .mutation(async ({ ctx: { services, visitor }, input: { albumName, ...request } }) => {
      await services.freeDisk.require()
      const album = await requireAlbumOfGuest(services, albumName, visitor)
      const { address, sessionId } = visitor
      return await addAlert(services, album, request, { address, sessionId })
    }),
}
