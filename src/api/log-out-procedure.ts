import { findAlbum } from '../albums/queries.ts'
import { countCall } from '../albums/rate-limits.ts'
import { endSession } from '../albums/visitor-queries.ts'
import { logOutInput, logOutOutput } from '../contract/albums.ts'
import { procedure, rest } from './trpc.ts'

/** Part of the albums router. */
export const logOutProcedure = {
  logOut: procedure
    .meta(rest('POST', '/log-out', 'Log out of an album, or of all albums'))
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
