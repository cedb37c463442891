import { requireOwnedAlbum } from '../albums/access.ts'
import { countCall } from '../albums/rate-limits.ts'
import { deletePhotosOutput, ownedAlbumInput, photosInput } from '../contract/albums/albums.ts'
import {
  camerasOutput,
  hidePhotosInput,
  hidePhotosOutput,
  ownerPhotosInput,
  ownerPhotosOutput,
  photoDetailsInput,
  photoDetailsOutput,
  retryOutput,
  shiftCameraInput,
} from '../contract/desk-photos.ts'
import type { Album } from '../database/schema.ts'
import { setHidden } from '../opt-outs/owner-answers.ts'
import { camerasOf, ownerPhotos, photoDetails } from '../photos/owner-photos.ts'
import { retryGivenUp, shiftCamera } from '../uploads/change-photos.ts'
import { deleteFromAlbum } from '../uploads/delete-photos.ts'
import { actorOf } from './actor.ts'
import { type CallContext, procedure, rest } from './trpc.ts'

/** An album whose photos its owner changes. */
async function requireChangeable({ services, visitor }: CallContext, id: string): Promise<Album> {
  const album = await requireOwnedAlbum(services.db, id, visitor.grants)
  await countCall(services, 'changePhotos', { address: album.id })
  return album
}

/** The calls with which owners see and change the photos of an album. They are part of the albums router. The specification
 *  (§7) does not have them. */
export const ownerPhotoProcedures = {
  ownerPhotos: procedure
    .meta(rest('GET', '/albums/{id}/owner-photos', 'All photos of the album for its owner, also hidden ones'))
    .input(ownerPhotosInput)
    .output(ownerPhotosOutput)
    .query(async ({ ctx: { services, visitor, origin }, input: { id, ...wanted } }) =>
      ownerPhotos(services, await requireOwnedAlbum(services.db, id, visitor.grants), wanted, origin),
    ),

  photoDetails: procedure
    .meta(rest('GET', '/albums/{id}/photos/{photoId}', 'What the face engine has seen in a photo'))
    .input(photoDetailsInput)
    .output(photoDetailsOutput)
    .query(async ({ ctx: { services, visitor, origin }, input: { id, photoId } }) =>
      photoDetails(services, await requireOwnedAlbum(services.db, id, visitor.grants), photoId, origin),
    ),

  hidePhotos: procedure
    .meta(rest('POST', '/albums/{id}/photos/hide', 'Hide photos from all guests, or show them again'))
    .input(hidePhotosInput)
    .output(hidePhotosOutput)
    .mutation(async ({ ctx, input: { id, ...which } }) => {
      const album = await requireChangeable(ctx, id)
      const { changed, stayHidden } = await setHidden(
        ctx.services,
        album,
        which,
        actorOf(ctx.visitor, 'owner'),
      )
      return { photosChanged: changed, photosStayHidden: stayHidden }
    }),

  deletePhotos: procedure
    .meta(rest('POST', '/albums/{id}/photos/delete', 'Delete photos of the album for good'))
    .input(photosInput)
    .output(deletePhotosOutput)
    .mutation(async ({ ctx, input: { id, photoIds } }) => {
      const album = await requireChangeable(ctx, id)
      return {
        photosDeleted: await deleteFromAlbum(ctx.services, album, photoIds, actorOf(ctx.visitor, 'owner')),
      }
    }),

  retryPhotos: procedure
    .meta(rest('POST', '/albums/{id}/photos/retry', 'Search the photos that were given up for faces again'))
    .input(ownedAlbumInput)
    .output(retryOutput)
    .mutation(async ({ ctx, input: { id } }) => {
      const album = await requireChangeable(ctx, id)
      return { photosWaiting: await retryGivenUp(ctx.services, album, actorOf(ctx.visitor, 'owner')) }
    }),

  cameras: procedure
    .meta(
      rest(
        'GET',
        '/albums/{id}/cameras',
        'The cameras of the photos, and the hours in which they were taken',
      ),
    )
    .input(ownedAlbumInput)
    .output(camerasOutput)
    .query(async ({ ctx: { services, visitor }, input: { id } }) =>
      camerasOf(services.db, (await requireOwnedAlbum(services.db, id, visitor.grants)).id),
    ),

  shiftCamera: procedure
    .meta(rest('POST', '/albums/{id}/cameras/shift', 'Shift the clock of a camera that was wrong'))
    .input(shiftCameraInput)
    .output(camerasOutput)
    .mutation(async ({ ctx, input: { id, ...shift } }) => {
      const album = await requireChangeable(ctx, id)
      await shiftCamera(ctx.services, album, shift, actorOf(ctx.visitor, 'owner'))
      return await camerasOf(ctx.services.db, album.id)
    }),
}
