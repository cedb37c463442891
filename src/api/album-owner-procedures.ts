import {
  isOwner,
  ownerGrant,
  ownerKeyChanged,
  requireOwnedAlbum,
  requireOwnedOrErased,
} from '../albums/access.ts'
import { coverageOf } from '../albums/coverage.ts'
import { eraseAlbum } from '../albums/erase.ts'
import { changePassword } from '../albums/password.ts'
import { countCall, RATE_LIMITS, tooManyCalls } from '../albums/rate-limits.ts'
import { renewOwnerKey } from '../albums/renew-owner-key.ts'
import { changeListing } from '../albums/settings.ts'
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
import { storageFull, storageUnavailable } from '../storage/errors.ts'
import { deleteFromAlbum } from '../uploads/delete-photos.ts'
import { finishUpload } from '../uploads/finish.ts'
import { progressOf, requireProgress } from '../uploads/progress.ts'
import { actorOf } from './actor.ts'
import { type CallDocs, invalidExample, TOO_LONG } from './call-docs.ts'
import { procedure } from './trpc.ts'

const OWNER_CALL = {
  caller: 'owner',
  errors: [invalidExample(ownedAlbumInput, { id: TOO_LONG })],
} satisfies CallDocs

const OWNER_CHANGE = {
  ...OWNER_CALL,
  errors: [...OWNER_CALL.errors, ownerKeyChanged()],
} satisfies CallDocs

const CHANGES_A_SECRET = {
  ...OWNER_CHANGE,
  errors: [...OWNER_CHANGE.errors, tooManyCalls(RATE_LIMITS.changeAlbum)],
} satisfies CallDocs

/** The calls that only the owner of an album may make. They are part of the albums router. The specification (§7)
 *  does not have them. */
export const ownerProcedures = {
  finishUpload: procedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/albums/{id}/finish-upload',
        tags: ['owner'],
        summary: 'Close the upload round, because everything has been sent',
        description:
          'The album then expects no more photos. Without this call an upload round ends when all intended photos are stored, or after two minutes without a batch.',
      },
      docs: OWNER_CHANGE,
    })
    .input(ownedAlbumInput)
    .output(progressOutput)
    .mutation(async ({ ctx: { services, visitor }, input }) => {
      const album = await requireOwnedAlbum(services.db, input.id, visitor.grants)
      await finishUpload(services, album)
      return progressOf(await requireProgress(services.db, input.id, visitor.grants), services.faces.engine)
    }),

  changePassword: procedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/albums/{id}/password',
        tags: ['owner'],
        summary: "Give the album a new password, which ends guests' sessions and photo links",
        description: "Guests' sessions and photo links end at once. The owner's session stays valid.",
      },
      docs: CHANGES_A_SECRET,
    })
    .input(ownedAlbumInput)
    .output(changePasswordOutput)
    .mutation(async ({ ctx: { services, visitor }, input }) => {
      const album = await requireOwnedAlbum(services.db, input.id, visitor.grants)
      await countCall(services, 'changeAlbum', { address: album.id })
      return { albumPassword: await changePassword(services, album, actorOf(visitor, 'owner')) }
    }),

  renewOwnerKey: procedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/albums/{id}/owner-key',
        tags: ['owner'],
        summary: "Give the album a new owner key, which ends the former key and all owners' sessions",
        description:
          'The former key and the sessions of all owners end at once, and so do the results of their selfies, and uploads and changes that are still under way. Only the session of this call, if it is an owner of the album, stays valid. The password stays the same: someone who had the former key may know it, so it is best to change it as well. Letters still go to the same address: POST /albums/{id}/letter-address changes it.',
      },
      docs: CHANGES_A_SECRET,
    })
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
    .meta({
      openapi: {
        method: 'POST',
        path: '/albums/{id}/listing',
        tags: ['owner'],
        summary: 'Take the album off the public list, or put it on the list again',
        description: 'The link and the password of the album work either way.',
      },
      docs: {
        ...OWNER_CHANGE,
        errors: [...OWNER_CHANGE.errors, invalidExample(setListedInput, { id: 'x', isListed: 'no' })],
      },
    })
    .input(setListedInput)
    .output(setListedOutput)
    .mutation(async ({ ctx: { services, visitor }, input: { id, isListed } }) => {
      const album = await requireOwnedAlbum(services.db, id, visitor.grants)
      await changeListing(services.db, album, isListed)
      return { isListed }
    }),

  deletePhotos: procedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/albums/{id}/photos/delete',
        tags: ['owner'],
        summary: 'Delete photos of the album for good',
        description:
          'Cannot be undone. Nobody finds, opens or downloads the photos any more. Their files and faces are removed after the answer. The same file can be uploaded again: then it is a new photo. Zips that have one of the photos end.',
      },
      docs: {
        ...OWNER_CHANGE,
        errors: [
          ...OWNER_CHANGE.errors,
          invalidExample(deletePhotosInput, { id: 'x', photoIds: [] }),
          tooManyCalls(RATE_LIMITS.changeAlbum),
        ],
      },
    })
    .input(deletePhotosInput)
    .output(deletePhotosOutput)
    .mutation(async ({ ctx: { services, visitor }, input: { id, photoIds } }) => {
      const album = await requireOwnedAlbum(services.db, id, visitor.grants)
      await countCall(services, 'changeAlbum', { address: album.id })
      return { photosDeleted: await deleteFromAlbum(services, album, photoIds, actorOf(visitor, 'owner')) }
    }),

  erase: procedure
    .meta({
      openapi: {
        method: 'DELETE',
        path: '/albums/{id}',
        tags: ['owner'],
        summary: 'Erase the album with all its photos and faces, and say what remains',
        description:
          'Cannot be undone. Nobody can see, search, enter or change the album from now on. For 30 days no other album gets its name. After erasing, every place is checked again. The answer says what remains there, which should be 0 everywhere. An album of more than 200 photos or 5,000 faces is deleted after the answer, which then says what there is to delete. The same call, with the same owner key, says for 90 days what the last check found.',
      },
      docs: { ...OWNER_CHANGE, errors: [...OWNER_CHANGE.errors, storageFull(), storageUnavailable()] },
    })
    .input(ownedAlbumInput)
    .output(remains)
    .mutation(async ({ ctx: { services, visitor }, input }) => {
      const album = await requireOwnedOrErased(services.db, input.id, visitor.grants)
      return await eraseAlbum(services, album, actorOf(visitor, 'owner'))
    }),

  coverage: procedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/albums/{id}/coverage',
        tags: ['owner'],
        summary: 'What happened to every file: searchable photos, photos without a face, skipped files',
        description:
          'Each list has at most 1,000 entries: skipped files with the newest first, photos in the order of their names.',
      },
      docs: OWNER_CALL,
    })
    .input(ownedAlbumInput)
    .output(coverageOutput)
    .query(async ({ ctx: { services, visitor }, input }) =>
      coverageOf(services.db, await requireOwnedAlbum(services.db, input.id, visitor.grants)),
    ),
}
