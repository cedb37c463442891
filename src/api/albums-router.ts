import {
  guestGrant,
  hasGrant,
  isOwner,
  noGrantOn,
  ownerGrant,
  requireAlbumOfGuest,
  requireBrowsableAlbum,
  whenOpen,
} from '../albums/access.ts'
import { authenticate } from '../albums/authenticate.ts'
import { createAlbum } from '../albums/create.ts'
import { countGuests } from '../albums/guest-counts.ts'
import { requireInvitation } from '../albums/invitations.ts'
import { listAlbums } from '../albums/list.ts'
import { countLookup } from '../albums/name-lookups.ts'
import { findAlbum } from '../albums/queries.ts'
import { countCall, requireWithin } from '../albums/rate-limits.ts'
import { endSession } from '../albums/visitor-queries.ts'
import { listAlbumsInput, listAlbumsOutput, listPageOutput } from '../contract/albums/album-list.ts'
import { browseInput, browseOutput } from '../contract/albums/album-photos.ts'
import {
  albumByNameOutput,
  albumNameInput,
  authenticateInput,
  authenticateOutput,
  authStatusOutput,
  createAlbumInput,
  createAlbumOutput,
  logOutInput,
  logOutOutput,
  progressInput,
  progressOutput,
} from '../contract/albums/albums.ts'
import { countIndexed } from '../photos/owner-queries.ts'
import { browseAlbum } from '../search/browse.ts'
import { prepareSearch } from '../search/search-album.ts'
import { progressOf, requireProgress } from '../uploads/progress.ts'
import { actorOf } from './actor.ts'
import { ownerProcedures } from './album-owner-procedures.ts'
import { ownerPhotoProcedures } from './album-photo-procedures.ts'
import { settingsProcedures } from './album-settings-procedures.ts'
import { enteredAlbum, summaryOf } from './album-summary.ts'
import { albumVisitProcedures } from './album-visit-procedures.ts'
import { alertProcedure } from './alerts-router.ts'
import { optOutProcedures } from './opt-outs-router.ts'
import { ownerAddressProcedures } from './owner-address-procedures.ts'
import { procedure, rest, router } from './trpc.ts'
import { wayInProcedures } from './way-in-procedures.ts'

export const albumsRouter = router({
  create: procedure
    .meta(rest('POST', '/user-albums', 'Create an album'))
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
      await requireWithin(services, 'albumsOfDay', ofNetwork)
      await countCall(services, 'albumsOfDay', { address: `email ${input.email.toLowerCase()}` })
      await countCall(services, 'albumsOfDay', ofNetwork)
      const { album, ownerKey } = await createAlbum(services, input, actorOf(visitor, 'owner'), invitation)
      visitor.addGrant(ownerGrant(album))
      return { userAlbum: { ...summaryOf(album), id: ownerKey } }
    }),

  list: procedure
    .meta(rest('GET', '/albums/list', 'The albums with photos, the newest first'))
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
    .meta(
      rest('GET', '/albums/auth-status/{albumName}', 'Whether an album exists and this session may see it'),
    )
    .input(albumNameInput)
    .output(authStatusOutput)
    .query(async ({ ctx: { services, visitor }, input: { albumName } }) => {
      const album = await findAlbum(services.db, { slug: albumName })
      const isAuthenticated = album !== undefined && hasGrant(album, visitor.grants)
      const { address } = visitor
      if (!isAuthenticated) await countLookup(services, { address, slug: albumName }, album !== undefined)
      return {
        albumExists: album !== undefined,
        isAuthenticated,
        displayName: album?.display_name ?? null,
        ...whenOpen(album, visitor.grants),
      }
    }),

  authenticate: procedure
    .meta(rest('POST', '/albums/{albumName}/authenticate', 'Enter an album with its password'))
    .input(authenticateInput)
    .output(authenticateOutput)
    .mutation(async ({ ctx: { services, visitor }, input }) => {
      const album = await authenticate(services, {
        slug: input.albumName,
        password: input.password,
        byCode: input.byCode,
        address: visitor.address,
      })
      if (!hasGrant(album, visitor.grants)) visitor.addGrant(guestGrant(album))
      // The guest need not enter it again when the album opens.
      if (!hasGrant(album, visitor.grants)) throw noGrantOn(album, visitor.grants)
      await countGuests(services.db, album.id, visitor, () =>
        visitor.isFirst(album.id, 'entered') ? { entered: 1 } : {},
      )
      prepareSearch(services, album)
      return { album: summaryOf(album) }
    }),

  byName: procedure
    .meta(rest('GET', '/albums/by-name/{albumName}', 'An album this session may see'))
    .input(albumNameInput)
    .output(albumByNameOutput)
    .query(async ({ ctx: { services, visitor, origin }, input }) => {
      const album = await requireAlbumOfGuest(services, input.albumName, visitor)
      prepareSearch(services, album)
      return { album: await enteredAlbum(services, album, visitor.grants, origin) }
    }),

  browse: procedure
    .meta(rest('GET', '/albums/{albumName}/photos', 'All photos of an album, without a selfie'))
    .input(browseInput)
    .output(browseOutput)
    .query(async ({ ctx: { services, visitor, origin }, input: { albumName, ...page } }) => {
      const album = await requireBrowsableAlbum(services, albumName, visitor)
      const by = { isOwner: isOwner(album, visitor.grants), origin }
      const { photos, nextCursor } = await browseAlbum(services, album, page, by)
      return { photos, totalPhotos: await countIndexed(services.db, album), nextCursor }
    }),

  progress: procedure
    .meta(rest('GET', '/albums/{id}/progress', 'How many photos are stored and indexed'))
    .input(progressInput)
    .output(progressOutput)
    .query(async ({ ctx: { services, visitor }, input: { id } }) =>
      progressOf(await requireProgress(services.db, id, visitor.grants), services.faces.engine),
    ),

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

  ...optOutProcedures,
  ...alertProcedure,
  ...ownerProcedures,
  ...ownerPhotoProcedures,
  ...settingsProcedures,
  ...ownerAddressProcedures,
  ...albumVisitProcedures,
  ...wayInProcedures,
})
