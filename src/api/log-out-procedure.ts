import { findAlbum } from '../albums/queries.ts'
import { countCall, RATE_LIMITS, tooManyCalls } from '../albums/rate-limits.ts'
import { endSession } from '../albums/visitor-queries.ts'
import { logOutInput, logOutOutput } from '../contract/albums.ts'
import { invalidExample, TOO_LONG } from './call-docs.ts'
import { procedure } from './trpc.ts'

/** Part of the albums router. */
export const logOutProcedure = {
  logOut: procedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/log-out',
        tags: ['albums'],
        summary: 'Log out of an album, or of all albums',
        description:
          "Ends the right of the session to this album, as guest and as owner; without `albumName`, to all albums, and the maintainer's rights that a set-up link gave. Copies of the former cookie are no longer valid. The owner key stays valid. For an album that the session has no right to, nothing changes.",
      },
      docs: {
        caller: 'visitor',
        errors: [invalidExample(logOutInput, { albumName: TOO_LONG }), tooManyCalls(RATE_LIMITS.logOut)],
      },
    })
    .input(logOutInput)
    .output(logOutOutput)
    .mutation(async ({ ctx: { services, visitor }, input: { albumName } }) => {
      const { grants, sessionId, address, isMaintainer } = visitor
      const album = albumName === undefined ? undefined : await findAlbum(services.db, { slug: albumName })
      const kept = albumName === undefined ? [] : grants.filter((grant) => grant.albumId !== album?.id)
      const endsAll = albumName === undefined && isMaintainer
      if (kept.length < grants.length || endsAll) {
        await countCall(services, 'logOut', { address })
        if (sessionId) await endSession(services.db, sessionId)
        if (endsAll) visitor.endSession()
        else visitor.startSession(kept)
      }
      return { albumsLeft: grants.length - kept.length }
    }),
}
