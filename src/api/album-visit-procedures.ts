import { hasGrant, ownerGrant, requireProgress } from '../albums/access.ts'
import { authenticateOwner } from '../albums/authenticate.ts'
import { progressOf } from '../albums/progress.ts'
import { findAlbum } from '../albums/queries.ts'
import { enterAsOwnerInput, enterAsOwnerOutput, visitOutput } from '../contract/album-visits.ts'
import { albumNameInput } from '../contract/albums.ts'
import { prepareSearch } from '../search/search-album.ts'
import { enteredAlbum, summaryOf } from './album-summary.ts'
import { procedure } from './trpc.ts'

/** The calls of the web app's album page. They are part of the albums router and have no REST path: other clients use
 *  the calls of §7. */
export const albumVisitProcedures = {
  /** The answers of authStatus, byName and progress in one. */
  visit: procedure
    .input(albumNameInput)
    .output(visitOutput)
    .query(async ({ ctx: { services, visitor }, input }) => {
      const album = await findAlbum(services.db, { slug: input.albumName })
      if (!album || !hasGrant(album, visitor.grants))
        return {
          albumExists: album !== undefined,
          isAuthenticated: false,
          displayName: album?.display_name ?? null,
          album: null,
          progress: null,
        }
      prepareSearch(services, album)
      return {
        albumExists: true,
        isAuthenticated: true,
        displayName: album.display_name,
        album: enteredAlbum(services.keyring, album, visitor.grants),
        progress: progressOf(await requireProgress(services.db, album.id, visitor.grants)),
      }
    }),

  /** Exchanges the owner key for an owner grant of the session. The answer is the key's album. */
  enterAsOwner: procedure
    .input(enterAsOwnerInput)
    .output(enterAsOwnerOutput)
    .mutation(async ({ ctx: { services, visitor }, input }) => {
      const album = await authenticateOwner(services, { ...input, address: visitor.address })
      visitor.addGrant(ownerGrant(album))
      return { album: summaryOf(album), email: album.email }
    }),
}
