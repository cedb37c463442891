import type { AppContext } from '../context.ts'
import type { BrowsedPage, BrowsedPhotos } from '../contract/album-photos.ts'
import type { Album } from '../database/schema.ts'
import { cursorAt, photosInOrder, placeAt } from '../photos/queries.ts'
import { shownPhoto } from '../photos/shown-photo.ts'

/** One page of all photos of an album, in the order in which they were taken. Photos that are added or erased meanwhile move no
 *  other photo to another page.
 *  @param page.cursor the former page's `nextCursor`; undefined for the first page
 *  @returns `nextCursor`: undefined on the last page */
export async function browseAlbum(
  { db, links }: Pick<AppContext, 'db' | 'links'>,
  { id: albumId, password_version, owner_key_version }: Album,
  { cursor, limit }: Pick<BrowsedPage, 'cursor' | 'limit'>,
  { origin, isOwner }: { origin: string; isOwner: boolean },
): Promise<Pick<BrowsedPhotos, 'photos' | 'nextCursor'>> {
  const versions = { password_version, owner_key_version: isOwner ? owner_key_version : null }
  const after = cursor ? placeAt(cursor) : undefined
  // One more than asked for shows whether there is another page.
  const found = await photosInOrder(db, albumId, { after, limit: limit + 1 })
  const photos = found.slice(0, limit)
  const last = photos.at(-1)
  return {
    photos: photos.map((photo) => shownPhoto(links, origin, { ...photo, ...versions })),
    nextCursor: found.length > limit && last ? cursorAt(last) : undefined,
  }
}
