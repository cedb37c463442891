import {
  albumNotFound,
  browsingOff,
  guestGrant,
  hasGrant,
  ownerGrant,
  requireAlbumOfGuest,
  requireBrowsableAlbum,
} from '../albums/access.ts'
import { authenticate, wrongPassword } from '../albums/authenticate.ts'
import { createAlbum } from '../albums/create.ts'
import {
  creationClosed,
  invitationExpired,
  invitationNeeded,
  invitationUsed,
  requireInvitation,
  wrongInvitation,
} from '../albums/invitations.ts'
import { listAlbums } from '../albums/list.ts'
import { countLookup } from '../albums/name-lookups.ts'
import { findAlbumStatus } from '../albums/queries.ts'
import { countCall, RATE_LIMITS, requireWithin, tooManyCalls } from '../albums/rate-limits.ts'
import { listAlbumsInput, listAlbumsOutput, listHeaders, listPageOutput } from '../contract/album-list.ts'
import { browseInput, browseOutput } from '../contract/album-photos.ts'
import {
  albumByNameOutput,
  albumNameInput,
  authenticateInput,
  authenticateOutput,
  authStatusOutput,
  createAlbumInput,
  createAlbumOutput,
  progressInput,
  progressOutput,
} from '../contract/albums.ts'
import { countIndexed } from '../photos/coverage-queries.ts'
import { browseAlbum } from '../search/browse.ts'
import { prepareSearch } from '../search/search-album.ts'
import { diskAlmostFull } from '../storage/free-disk.ts'
import { progressOf, requireProgress } from '../uploads/progress.ts'
import { actorOf } from './actor.ts'
import { ownerProcedures } from './album-owner-procedures.ts'
import { settingsProcedures } from './album-settings-procedures.ts'
import { enteredAlbum, summaryOf } from './album-summary.ts'
import { albumVisitProcedures } from './album-visit-procedures.ts'
import { alertProcedure } from './alert-procedures.ts'
import { invalidExample, TOO_LONG } from './call-docs.ts'
import { logOutProcedure } from './log-out-procedure.ts'
import { optOutProcedure } from './opt-out-procedures.ts'
import { ownerAddressProcedures } from './owner-address-procedures.ts'
import { procedure, router } from './trpc.ts'

export const albumsRouter = router({
  create: procedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/user-albums',
        tags: ['albums'],
        summary: 'Create an album',
        description:
          'Only this answer contains the owner key. The key gives the rights of the owner. The session of the answer has them, too. The album gets its own password. The owner reads it with GET /albums/by-name/{albumName}.',
      },
      docs: {
        caller: 'visitor',
        errors: [
          invalidExample(createAlbumInput, { email: 'organiser', albumName: '' }),
          tooManyCalls(RATE_LIMITS.albumsOfDay),
          creationClosed(),
          invitationNeeded(),
          wrongInvitation(),
          invitationUsed(),
          invitationExpired(),
          tooManyCalls(RATE_LIMITS.wrongSecret),
          diskAlmostFull(),
        ],
      },
    })
    .input(createAlbumInput)
    .output(createAlbumOutput)
    .mutation(async ({ ctx: { services, visitor }, input }) => {
      await services.freeDisk.require()
      const invitation = await requireInvitation(services, {
        code: input.inviteCode,
        address: visitor.address,
      })
      const ofNetwork = { address: visitor.address }
      // Before the email address is counted: what the network is refused is not counted for it, nor the other way round.
      await requireWithin(services, ['albumsOfDay'], ofNetwork)
      await countCall(services, 'albumsOfDay', { address: `email ${input.email.toLowerCase()}` })
      await countCall(services, 'albumsOfDay', ofNetwork)
      const { album, ownerKey } = await createAlbum(services, input, actorOf(visitor, 'owner'), invitation)
      visitor.addGrant(ownerGrant(album))
      return { userAlbum: { ...summaryOf(album), id: ownerKey } }
    }),

  list: procedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/albums/list',
        tags: ['albums'],
        summary: 'The albums with photos, the newest first',
        description:
          'One page of the list. The header `Link` has the address of the next page. Albums without photos, and albums whose owners have taken them off the list, are missing. Nothing in the answer gives any right to an album.',
        responseHeaders: listHeaders,
      },
      docs: { caller: 'anyone', errors: [invalidExample(listAlbumsInput, { cursor: 'x' })] },
    })
    .input(listAlbumsInput)
    .output(listAlbumsOutput)
    .query(async ({ ctx: { services, origin, setHeader }, input }) => {
      const { albums, nextCursor } = await listAlbums(services.db, input)
      if (nextCursor) {
        const next = `${origin}/api/albums/list?limit=${input.limit}&cursor=${nextCursor}`
        setHeader('link', `<${next}>; rel="next"`)
      }
      return albums.map(summaryOf)
    }),

  /** The same for the web app. */
  listPage: procedure
    .input(listAlbumsInput)
    .output(listPageOutput)
    .query(async ({ ctx: { services }, input }) => {
      const { albums, nextCursor } = await listAlbums(services.db, input)
      return { albums: albums.map(summaryOf), nextCursor }
    }),

  authStatus: procedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/albums/auth-status/{albumName}',
        tags: ['albums'],
        summary: 'Whether an album exists and this session may see it',
        description: 'An unknown album is no error here: `albumExists` is false.',
      },
      docs: {
        caller: 'visitor',
        errors: [
          invalidExample(albumNameInput, { albumName: TOO_LONG }),
          tooManyCalls(RATE_LIMITS.unknownName),
        ],
      },
    })
    .input(albumNameInput)
    .output(authStatusOutput)
    .query(async ({ ctx: { services, visitor }, input: { albumName } }) => {
      const album = await findAlbumStatus(services.db, albumName)
      const isAuthenticated = album !== undefined && hasGrant(album, visitor.grants)
      const { address } = visitor
      if (!isAuthenticated) await countLookup(services, { address, slug: albumName }, album !== undefined)
      return {
        albumExists: album !== undefined,
        isAuthenticated,
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
        description:
          'The session cookie of the answer gives the guest the right to the album. Upper and lower case, spaces and dashes in the password make no difference. Only wrong passwords count towards the limit.',
      },
      docs: {
        caller: 'visitor',
        errors: [
          invalidExample(authenticateInput, { albumName: 'my-summer-wedding-2025' }),
          wrongPassword(),
          albumNotFound(),
          tooManyCalls(RATE_LIMITS.wrongSecret),
          tooManyCalls(RATE_LIMITS.unknownName),
        ],
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
      if (!hasGrant(album, visitor.grants)) visitor.addGrant(guestGrant(album))
      prepareSearch(services, album)
      return { album: summaryOf(album) }
    }),

  byName: procedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/albums/by-name/{albumName}',
        tags: ['albums'],
        summary: 'An album this session may see',
        description: 'The album with its password, which a client shows to the owner only (`isOwner`).',
      },
      docs: { caller: 'guest', errors: [invalidExample(albumNameInput, { albumName: TOO_LONG })] },
    })
    .input(albumNameInput)
    .output(albumByNameOutput)
    .query(async ({ ctx: { services, visitor }, input }) => {
      const album = await requireAlbumOfGuest(services, input.albumName, visitor)
      prepareSearch(services, album)
      return { album: enteredAlbum(services.keyring, album, visitor.grants) }
    }),

  browse: procedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/albums/{albumName}/photos',
        tags: ['albums'],
        summary: 'All photos of an album, without a selfie',
        description:
          'For guests while the setting `browsing` is on, and always for the owner. One page of the photos that are indexed. The first page has the oldest.',
      },
      docs: {
        caller: 'guest',
        errors: [
          invalidExample(browseInput, { albumName: TOO_LONG }),
          invalidExample(browseInput, { albumName: 'x', cursor: 'x' }),
          browsingOff(),
        ],
      },
    })
    .input(browseInput)
    .output(browseOutput)
    .query(async ({ ctx: { services, visitor, origin }, input: { albumName, ...page } }) => {
      const album = await requireBrowsableAlbum(services, albumName, visitor)
      const { photos, nextCursor } = await browseAlbum(services, album, page, origin)
      return { photos, totalPhotos: await countIndexed(services.db, album), nextCursor }
    }),

  progress: procedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/albums/{id}/progress',
        tags: ['albums'],
        summary: 'How many photos are stored and indexed',
        description:
          'Made to be called every two seconds. Once `isCompleted` is true, the album can be searched.',
      },
      docs: { caller: 'guestOrOwner', errors: [invalidExample(progressInput, { id: TOO_LONG })] },
    })
    .input(progressInput)
    .output(progressOutput)
    .query(async ({ ctx: { services, visitor }, input: { id } }) =>
      progressOf(await requireProgress(services.db, id, visitor.grants), services.faces.engine),
    ),

  ...optOutProcedure,
  ...alertProcedure,
  ...logOutProcedure,
  ...ownerProcedures,
  ...settingsProcedures,
  ...ownerAddressProcedures,
  ...albumVisitProcedures,
})
