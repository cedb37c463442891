import { requireAlbumOfGuest } from '../albums/access.ts'
import { RATE_LIMITS, tooManyCalls } from '../albums/rate-limits.ts'
import { addAlert, addressRefuses } from '../alerts/add-alert.ts'
import { addAlertInput, addAlertOutput } from '../contract/alerts.ts'
import { searchEnded, searchOfFormerPassword, searchUnknown } from '../search/search-token.ts'
import { diskAlmostFull } from '../storage/free-disk.ts'
import { invalidExample, TOO_LONG } from './call-docs.ts'
import { procedure } from './trpc.ts'

/** "Tell me when there are more." It is part of the albums router. The specification (§7) does not have it. */
export const alertProcedure = {
  addAlert: procedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/albums/{albumName}/alerts',
        tags: ['albums'],
        summary: 'Write to a guest when there are more photos of them',
        description:
          'Needs a consent of its own. The first letter asks to confirm the address. After that a letter says how many new photos surely show the guest, at most one a day, when an upload is complete. The service keeps the address and what finds the guest, encrypted, until 30 days have passed, the guest ends it, or the album is erased. A new password of the album does not end it. The same address again replaces the former one when it is confirmed.',
      },
      docs: {
        caller: 'guest',
        errors: [
          invalidExample(addAlertInput, {
            albumName: TOO_LONG,
            email: 'a@example.com',
            searchToken: 'x',
            consent: true,
          }),
          invalidExample(addAlertInput, { albumName: 'x', email: 'a@example.com', searchToken: 'x' }),
          searchUnknown(),
          searchEnded(),
          searchOfFormerPassword(),
          addressRefuses(),
          tooManyCalls(RATE_LIMITS.letter),
          tooManyCalls(RATE_LIMITS.newAddress),
          diskAlmostFull(),
        ],
      },
    })
    .input(addAlertInput)
    .output(addAlertOutput)
    .mutation(async ({ ctx: { services, visitor }, input: { albumName, ...request } }) => {
      await services.freeDisk.require()
      const album = await requireAlbumOfGuest(services, albumName, visitor)
      const { address, sessionId } = visitor
      return await addAlert(services, album, request, { address, sessionId })
    }),
}
