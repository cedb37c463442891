import type { AlbumSummary } from '../contract/albums.ts'
import type { Album } from '../database/schema.ts'

/** The part of an album that everybody may read. */
export function summaryOf(album: Pick<Album, 'id' | 'slug' | 'display_name' | 'created_at'>): AlbumSummary {
  return {
    id: album.id,
    albumName: album.slug,
    displayName: album.display_name,
    createdAt: album.created_at.toISOString(),
  }
}
