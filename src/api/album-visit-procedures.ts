import {
  browserKey,
  type Grant,
  guestGrant,
  hasGrant,
  isOwner,
  isReturnKey,
  ownerGrant,
  requireOwnedAlbum,
  whenOpen,
} from '../albums/access.ts'
import { authenticateOwner } from '../albums/authenticate.ts'
import { countLookup } from '../albums/name-lookups.ts'
import { confirmAddress } from '../albums/owner-address.ts'
import { findAlbum } from '../albums/queries.ts'
import type { AppContext } from '../context.ts'
import {
  browserKeyOutput,
  enterAsOwnerInput,
  enterAsOwnerOutput,
  visitInput,
  visitOutput,
} from '../contract/albums/album-visits.ts'
import { ownedAlbumInput } from '../contract/albums/albums.ts'
import type { Album } from '../database/schema.ts'
import { prepareSearch } from '../search/search-album.ts'
import { progressOf, requireProgress } from '../uploads/progress.ts'
import { enteredAlbum } from './album-summary.ts'
import { procedure } from './trpc.ts'

/** The calls of the web app's album page. They are part of the albums router and have no REST path: other clients use
 *  the calls of §7. */
export const albumVisitProcedures = {
  /** The answers of authStatus, byName and progress in one. */
  visit: procedure
    .input(visitInput)
    .output(visitOutput)
    .query(async ({ ctx: { services, visitor, origin }, input }) => {
      const album = await findAlbum(services.db, { slug: input.albumName })
      const asGuest = input.as === 'guest' && album && isOwner(album, visitor.grants)
      const grants = asGuest ? [guestGrant(album)] : visitor.grants
      if (!album || !hasGrant(album, grants)) {
        const { address } = visitor
        await countLookup(services, { address, slug: input.albumName }, album !== undefined)
        return {
          albumExists: album !== undefined,
          isAuthenticated: false,
          displayName: album?.display_name ?? null,
          ...whenOpen(album, grants),
          album: null,
          progress: null,
          accent: album ? accentOf(album) : null,
        }
      }
      return {
        albumExists: true,
        isAuthenticated: true,
        displayName: album.display_name,
        accent: accentOf(album),
        ...whenOpen(album, grants),
        ...(await insideOf(services, album, grants, origin)),
      }
    }),

  /** A key for a browser of the owner that has a session and no key. */
  browserKey: procedure
    .input(ownedAlbumInput)
    .output(browserKeyOutput)
    .query(async ({ ctx: { services, visitor }, input }) => {
      const album = await requireOwnedAlbum(services.db, input.id, visitor.grants)
      return { ownerKey: browserKey(services.keyring, album), email: album.email }
    }),

  /** Exchanges the owner key for an owner grant of the session. The answer is the key's album. */
  enterAsOwner: procedure
    .input(enterAsOwnerInput)
    .output(enterAsOwnerOutput)
    .mutation(async ({ ctx: { services, visitor, origin }, input }) => {
      const album = await authenticateOwner(services, { ...input, address: visitor.address })
      if (!album.address_confirmed_at && isReturnKey(services.keyring, input.ownerKey))
        await confirmAddress(services, { token: input.ownerKey, address: visitor.address })
      const grant = ownerGrant(album)
      visitor.addGrant(grant)
      return {
        ...(await insideOf(services, album, [...visitor.grants, grant], origin)),
        email: album.email,
      }
    }),
}

/** Null for Inframe's own colour, which every page has. */
const accentOf = ({ settings: { accent } }: Album) => (accent === 'marigold' ? null : accent)

/** What a visitor with a grant sees. A search probably follows, so it is prepared. */
async function insideOf(services: AppContext, album: Album, grants: Grant[], origin: string) {
  prepareSearch(services, album)
  return {
    album: await enteredAlbum(services, album, grants, origin),
    progress: progressOf(await requireProgress(services.db, album.id, grants), services.faces.engine),
  }
}
