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
import { procedure } from './trpc.ts'

/** What only the owner of an album does. They belong to the albums router, and the specification (§7) does not
 *  know them. */
export const ownerProcedures = {
  finishUpload: procedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/albums/{id}/finish-upload',
        tags: ['owner'],
        summary: 'Everything has been sent: close the upload round',
      },
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
      },
    })
    .input(ownedAlbumInput)
    .output(changePasswordOutput)
    .mutation(async ({ ctx: { services, visitor }, input }) => {
      const album = await requireOwnedAlbum(services.db, input.id, visitor.grants)
      return { albumPassword: await changePassword(services, album) }
    }),

  erase: procedure
    .meta({
      openapi: {
        method: 'DELETE',
        path: '/albums/{id}',
        tags: ['owner'],
        summary: 'Erase the album with all its photos and faces, and say what remains',
      },
    })
    .input(ownedAlbumInput)
    .output(remains)
    .mutation(async ({ ctx: { services, visitor }, input }) => {
      const album = await requireOwnedAlbum(services.db, input.id, visitor.grants)
      return await eraseAlbum(services, album.id)
    }),

  coverage: procedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/albums/{id}/coverage',
        tags: ['owner'],
        summary: 'What became of everything sent: searchable photos, photos without a face, skipped files',
      },
    })
    .input(ownedAlbumInput)
    .output(coverageOutput)
    .query(async ({ ctx: { services, visitor }, input }) =>
      coverageOf(services.db, await requireOwnedAlbum(services.db, input.id, visitor.grants)),
    ),
}
