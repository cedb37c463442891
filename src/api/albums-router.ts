import { hasGrant, isOwner, requireAlbumOfGuest, requireProgress } from '../albums/access.ts'
import { authenticate } from '../albums/authenticate.ts'
import { createAlbum } from '../albums/create.ts'
import { decryptPassword } from '../albums/password.ts'
import { progressOf } from '../albums/progress.ts'
import { findAlbum, newestAlbums } from '../albums/queries.ts'
import { countCall } from '../albums/rate-limits.ts'
import {
  albumByNameOutput,
  albumNameInput,
  authenticateInput,
  authenticateOutput,
  authStatusOutput,
  createAlbumInput,
  createAlbumOutput,
  listAlbumsOutput,
  progressInput,
  progressOutput,
} from '../contract/albums.ts'
import { ownerProcedures } from './album-owner-procedures.ts'
import { summaryOf } from './album-summary.ts'
import { albumVisitProcedures } from './album-visit-procedures.ts'
import { procedure, router } from './trpc.ts'

/** A page of this many cards is long; what is older is reached by its link. */
const LISTED_ALBUMS = 500

export const albumsRouter = router({
  create: procedure
    .meta({ openapi: { method: 'POST', path: '/user-albums', tags: ['albums'], summary: 'Create an album' } })
    .input(createAlbumInput)
    .output(createAlbumOutput)
    .mutation(async ({ ctx: { services, visitor }, input }) => {
      await countCall(services, 'createAlbum', { caller: visitor.address })
      const { album, ownerKey } = await createAlbum(services, input)
      visitor.addGrant({ albumId: album.id, role: 'owner', passwordVersion: album.password_version })
      return { userAlbum: { ...summaryOf(album), id: ownerKey } }
    }),

  list: procedure
    .meta({
      openapi: { method: 'GET', path: '/albums/list', tags: ['albums'], summary: 'The newest albums' },
    })
    .output(listAlbumsOutput)
    .query(async ({ ctx: { services } }) => (await newestAlbums(services.db, LISTED_ALBUMS)).map(summaryOf)),

  authStatus: procedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/albums/auth-status/{albumName}',
        tags: ['albums'],
        summary: 'Whether an album exists and this session may see it',
      },
    })
    .input(albumNameInput)
    .output(authStatusOutput)
    .query(async ({ ctx: { services, visitor }, input }) => {
      const album = await findAlbum(services.db, { slug: input.albumName })
      return {
        albumExists: album !== undefined,
        isAuthenticated: album !== undefined && hasGrant(album, visitor.grants),
        displayName: album?.display_name ?? null,
      }
    }),

  authenticate: procedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/albums/{albumName}/authenticate',
        tags: ['albums'],
        summary: 'Enter an album with its password',
      },
    })
    .input(authenticateInput)
    .output(authenticateOutput)
    .mutation(async ({ ctx: { services, visitor }, input }) => {
      const album = await authenticate(services, {
        slug: input.albumName,
        password: input.password,
        address: visitor.address,
      })
      if (!hasGrant(album, visitor.grants))
        visitor.addGrant({ albumId: album.id, role: 'guest', passwordVersion: album.password_version })
      return { album: summaryOf(album) }
    }),

  byName: procedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/albums/by-name/{albumName}',
        tags: ['albums'],
        summary: 'An album this session may see',
      },
    })
    .input(albumNameInput)
    .output(albumByNameOutput)
    .query(async ({ ctx: { services, visitor }, input }) => {
      const album = await requireAlbumOfGuest(services.db, input.albumName, visitor.grants)
      return {
        album: {
          ...summaryOf(album),
          albumPassword: decryptPassword(services.keyring, album),
          isOwner: isOwner(album, visitor.grants),
        },
      }
    }),

  progress: procedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/albums/{id}/progress',
        tags: ['albums'],
        summary: 'How far storing and indexing have come',
      },
    })
    .input(progressInput)
    .output(progressOutput)
    .query(async ({ ctx: { services, visitor }, input }) =>
      progressOf(await requireProgress(services.db, input.id, visitor.grants)),
    ),

  ...ownerProcedures,
  ...albumVisitProcedures,
})
