import { isOwner, ownerGrant, requireOwnedAlbum, requireOwnedOrErased } from '../albums/access.ts'
import { coverageOf } from '../albums/coverage.ts'
import { eraseAlbum } from '../albums/erase.ts'
import { guestsOf } from '../albums/guest-counts.ts'
import { changePassword } from '../albums/password.ts'
import { countCall } from '../albums/rate-limits.ts'
import { renewOwnerKey } from '../albums/renew-owner-key.ts'
import { changeListing } from '../albums/settings.ts'
import { guestsOutput } from '../contract/album-guests.ts'
import {
  changePasswordOutput,
  coverageOutput,
  deletePhotosInput,
  deletePhotosOutput,
  ownedAlbumInput,
  progressOutput,
  remains,
  renewOwnerKeyOutput,
  setListedInput,
  setListedOutput,
} from '../contract/albums.ts'
import { deleteFromAlbum } from '../uploads/delete-photos.ts'
import { finishUpload } from '../uploads/finish.ts'
import { progressOf, requireProgress } from '../uploads/progress.ts'
import { actorOf } from './actor.ts'
import { procedure, rest } from './trpc.ts'

/** The calls that only the owner of an album may make. They are part of the albums router. The specification (§7)
 *  does not have them. */
export const ownerProcedures = {
  finishUpload: procedure
    .meta(
      rest('POST', '/albums/{id}/finish-upload', 'Close the upload round, because everything has been sent'),
    )
    .input(ownedAlbumInput)
    .output(progressOutput)
    .mutation(async ({ ctx: { services, visitor }, input }) => {
      const album = await requireOwnedAlbum(services.db, input.id, visitor.grants)
      await finishUpload(services, album)
      return progressOf(await requireProgress(services.db, input.id, visitor.grants), services.faces.engine)
    }),

  changePassword: procedure
    .meta(
      rest(
        'POST',
        '/albums/{id}/password',
        "Give the album a new password, which ends guests' sessions and photo links",
      ),
    )
    .input(ownedAlbumInput)
    .output(changePasswordOutput)
    .mutation(async ({ ctx: { services, visitor }, input }) => {
      const album = await requireOwnedAlbum(services.db, input.id, visitor.grants)
      await countCall(services, 'changeAlbum', { address: album.id })
      return { albumPassword: await changePassword(services, album, actorOf(visitor, 'owner')) }
    }),

  renewOwnerKey: procedure
    .meta(
      rest(
        'POST',
        '/albums/{id}/owner-key',
        "Give the album a new owner key, which ends the former key and all owners' sessions",
      ),
    )
    .input(ownedAlbumInput)
    .output(renewOwnerKeyOutput)
    .mutation(async ({ ctx: { services, visitor }, input }) => {
      const album = await requireOwnedAlbum(services.db, input.id, visitor.grants)
      await countCall(services, 'changeAlbum', { address: album.id })
      const wasOwner = isOwner(album, visitor.grants)
      const renewed = await renewOwnerKey(services, album, actorOf(visitor, 'owner'))
      if (wasOwner) visitor.addGrant(ownerGrant(renewed.album))
      return { ownerKey: renewed.ownerKey }
    }),

  setListed: procedure
    .meta(
      rest('POST', '/albums/{id}/listing', 'Take the album off the public list, or put it on the list again'),
    )
    .input(setListedInput)
    .output(setListedOutput)
    .mutation(async ({ ctx: { services, visitor }, input: { id, isListed } }) => {
      const album = await requireOwnedAlbum(services.db, id, visitor.grants)
      await changeListing(services.db, album, isListed)
      return { isListed }
    }),

  deletePhotos: procedure
    .meta(rest('POST', '/albums/{id}/photos/delete', 'Delete photos of the album for good'))
    .input(deletePhotosInput)
    .output(deletePhotosOutput)
    .mutation(async ({ ctx: { services, visitor }, input: { id, photoIds } }) => {
      const album = await requireOwnedAlbum(services.db, id, visitor.grants)
      await countCall(services, 'changeAlbum', { address: album.id })
      return { photosDeleted: await deleteFromAlbum(services, album, photoIds, actorOf(visitor, 'owner')) }
    }),

  guests: procedure
    .meta(rest('GET', '/albums/{id}/guests', 'How many guests entered, searched and found photos, by hour'))
    .input(ownedAlbumInput)
    .output(guestsOutput)
    .query(async ({ ctx: { services, visitor }, input }) => {
      const album = await requireOwnedAlbum(services.db, input.id, visitor.grants)
      return await guestsOf(services.db, album.id)
    }),

  erase: procedure
    .meta(
      rest('DELETE', '/albums/{id}', 'Erase the album with all its photos and faces, and say what remains'),
    )
    .input(ownedAlbumInput)
    .output(remains)
    .mutation(async ({ ctx: { services, visitor }, input }) => {
      const album = await requireOwnedOrErased(services.db, input.id, visitor.grants)
      return await eraseAlbum(services, album, actorOf(visitor, 'owner'))
    }),

  coverage: procedure
    .meta(
      rest(
        'GET',
        '/albums/{id}/coverage',
        'What happened to every file: searchable photos, photos without a face, skipped files',
      ),
    )
    .input(ownedAlbumInput)
    .output(coverageOutput)
    .query(async ({ ctx: { services, visitor }, input }) =>
      coverageOf(services.db, await requireOwnedAlbum(services.db, input.id, visitor.grants)),
    ),
}
