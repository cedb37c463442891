import { isOwner, ownerGrant, requireOwnedAlbum, requireOwnedOrErased } from '../albums/access.ts'
import { coverageOf } from '../albums/coverage.ts'
import { eraseAlbum } from '../albums/erase.ts'
import { guestsOf } from '../albums/guest-counts.ts'
import { changePassword } from '../albums/password.ts'
import { countCall } from '../albums/rate-limits.ts'
import { renewOwnerKey } from '../albums/renew-owner-key.ts'
import { guestsOutput } from '../contract/albums/album-guests.ts'
import {
  changePasswordOutput,
  coverageOutput,
  ownedAlbumInput,
  progressOutput,
  remains,
  renewOwnerKeyOutput,
} from '../contract/albums/albums.ts'
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
        'What happened to every file: how many photos are searchable or not, and which files were skipped',
      ),
    )
    .input(ownedAlbumInput)
    .output(coverageOutput)
    .query(async ({ ctx: { services, visitor }, input }) =>
      coverageOf(services.db, await requireOwnedAlbum(services.db, input.id, visitor.grants)),
    ),
}
