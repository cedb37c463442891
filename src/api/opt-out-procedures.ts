import { requireAlbumOfGuest } from '../albums/access.ts'
import { countCall, RATE_LIMITS, tooManyCalls } from '../albums/rate-limits.ts'
import { optOutInput, optOutOutput } from '../contract/opt-outs.ts'
import { tooManyFaces, tooManyOptOuts } from '../opt-outs/limits.ts'
import { alreadyOptedOut, optOut } from '../opt-outs/opt-out.ts'
import { facesToOptOut, newSelfieNeeded } from '../search/find-in-album.ts'
import { searchEnded, searchOfFormerPassword, searchUnknown } from '../search/search-token.ts'
import { actorOf } from './actor.ts'
import { invalidExample } from './call-docs.ts'
import { procedure } from './trpc.ts'

/** A part of the albums router. The specification (§7) does not have it. */
export const optOutProcedure = {
  optOut: procedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/albums/{albumName}/opt-out',
        tags: ['albums'],
        summary: 'Opt a guest out of the search of an album',
        description:
          'All searches hide the faces that a search with a new selfie has surely found. For 72 hours this can be undone with the receipt, and the owner can revoke it. Then the faces are erased, and stay out when their photos are indexed again. Only a share of the faces of an album can be opted out within an hour, and a smaller one from one network. The photos stay in the album. The owner gets a letter that says how many faces it is about, and not whose.',
      },
      docs: {
        caller: 'guest',
        errors: [
          invalidExample(optOutInput, { albumName: 'x' }),
          searchUnknown(),
          searchEnded(),
          searchOfFormerPassword(),
          newSelfieNeeded(),
          alreadyOptedOut(),
          tooManyCalls(RATE_LIMITS.optOut),
          tooManyOptOuts(),
          tooManyFaces(20),
        ],
      },
    })
    .input(optOutInput)
    .output(optOutOutput)
    .mutation(async ({ ctx: { services, visitor }, input }) => {
      const { albumName, searchToken: token, except = [], hidePhotos = false, keepOut = false } = input
      const album = await requireAlbumOfGuest(services, albumName, visitor)
      const { address, sessionId } = visitor
      // It is counted by the session, so that others behind this address need not wait for it.
      await countCall(services, 'optOut', { address, sessionId })
      const faceIds = await facesToOptOut(services, { album, sessionId: sessionId ?? '' }, { token, except })
      const by = { ...actorOf(visitor, 'guest'), address }
      return await optOut(services, album, { faceIds, hidePhotos, keepOut }, by)
    }),
}
