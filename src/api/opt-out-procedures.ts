import { requireAlbumOfGuest } from '../albums/access.ts'
import { countCall } from '../albums/rate-limits.ts'
import { optOutInput, optOutOutput } from '../contract/opt-outs.ts'
import { optOut } from '../opt-outs/opt-out.ts'
import { facesToOptOut } from '../search/find-in-album.ts'
import { actorOf } from './actor.ts'
import { procedure, rest } from './trpc.ts'

/** A part of the albums router. The specification (§7) does not have it. */
export const optOutProcedure = {
  optOut: procedure
    .meta(rest('POST', '/albums/{albumName}/opt-out', 'Opt a guest out of the search of an album'))
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
