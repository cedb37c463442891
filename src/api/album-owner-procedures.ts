import { requireOwnedAlbum, requireProgress } from '../albums/access.ts'
import { changePassword } from '../albums/change-password.ts'
import { coverageOf } from '../albums/coverage.ts'
import { eraseAlbum } from '../albums/erase.ts'
import { finishUpload } from '../albums/finish.ts'
import { progressOf } from '../albums/progress.ts'
import {
  changePasswordOutput,
  coverageOutput,
  ownedAlbumInput,
  progressOutput,
  remains,
} from '../contract/albums.ts'
import { storageFull, storageUnavailable } from '../storage/errors.ts'
import { actorOf } from './actor.ts'
import { type CallDocs, invalidExample, TOO_LONG } from './call-docs.ts'
import { procedure } from './trpc.ts'

const OWNER_CALL = {
  caller: 'owner',
  errors: [invalidExample(ownedAlbumInput, { id: TOO_LONG })],
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
      docs: OWNER_CALL,
    })
    .input(ownedAlbumInput)
    .output(progressOutput)
    .mutation(async ({ ctx: { services, visitor }, input }) => {
      const album = await requireOwnedAlbum(services.db, input.id, visitor.grants)
      await finishUpload(services, album.id)
      return progressOf(await requireProgress(services.db, input.id, visitor.grants))
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
      docs: OWNER_CALL,
    })
    .input(ownedAlbumInput)
    .output(changePasswordOutput)
    .mutation(async ({ ctx: { services, visitor }, input }) => {
      const album = await requireOwnedAlbum(services.db, input.id, visitor.grants)
      return { albumPassword: await changePassword(services, album, actorOf(visitor, 'owner')) }
    }),

  erase: procedure
    .meta({
      openapi: {
        method: 'DELETE',
        path: '/albums/{id}',
        tags: ['owner'],
        summary: 'Erase the album with all its photos and faces, and say what remains',
        description:
          'Cannot be undone. After erasing, every place is checked again. The answer says what remains there, which should be 0 everywhere.',
      },
      docs: { ...OWNER_CALL, errors: [...OWNER_CALL.errors, storageFull(), storageUnavailable()] },
    })
    .input(ownedAlbumInput)
    .output(remains)
    .mutation(async ({ ctx: { services, visitor }, input }) => {
      const album = await requireOwnedAlbum(services.db, input.id, visitor.grants)
      return await eraseAlbum(services, album.id, actorOf(visitor, 'owner'))
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
