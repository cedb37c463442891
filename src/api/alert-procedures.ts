import { requireAlbumOfGuest } from '../albums/access.ts'
import { addAlert } from '../alerts/add-alert.ts'
import { addAlertInput, addAlertOutput } from '../contract/alerts.ts'
import { procedure, rest } from './trpc.ts'

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
