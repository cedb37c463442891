import type { AppContext } from '../context.ts'
import type { BrowsedPage, BrowsedPhotos } from '../contract/albums/album-photos.ts'
import { pageOf } from '../database/page-of.ts'
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
  const found = await photosInOrder(db, albumId, { after, limit: limit + 1 })
  const { rows, nextCursor } = pageOf(found, limit, cursorAt)
  return { photos: rows.map((photo) => shownPhoto(links, origin, { ...photo, ...versions })), nextCursor }
}
