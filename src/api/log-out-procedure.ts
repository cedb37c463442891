import { findAlbum } from '../albums/queries.ts'
import { countCall, RATE_LIMITS, tooManyCalls } from '../albums/rate-limits.ts'
import { endSession } from '../albums/session-queries.ts'
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
          'Ends the right of the session to this album, as guest and as owner; without `albumName`, to all albums. Copies of the former cookie are no longer valid. The owner key stays valid. For an album that the session has no right to, nothing changes.',
      },
      docs: {
        caller: 'visitor',
        errors: [invalidExample(logOutInput, { albumName: TOO_LONG }), tooManyCalls(RATE_LIMITS.logOut)],
      },
    })
    .input(logOutInput)
    .output(logOutOutput)
    .mutation(async ({ ctx: { services, visitor }, input: { albumName } }) => {
      const { grants, sessionId, address } = visitor
      const album = albumName === undefined ? undefined : await findAlbum(services.db, { slug: albumName })
      const kept = albumName === undefined ? [] : grants.filter((grant) => grant.albumId !== album?.id)
      if (kept.length < grants.length) {
        await countCall(services, 'logOut', { address })
        if (sessionId) await endSession(services.db, sessionId)
        visitor.startSession(kept)
      }
      return { albumsLeft: grants.length - kept.length }
    }),
}
