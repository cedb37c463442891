import { type Grant, isOwner } from '../albums/access.ts'
import { decryptPassword } from '../albums/password.ts'
import { settingsOf } from '../albums/settings.ts'
import type { AlbumSummary, EnteredAlbum } from '../contract/albums.ts'
import type { Album } from '../database/schema.ts'
import type { Keyring } from '../keyring.ts'

/** The part of an album that everybody may read. */
export function summaryOf(album: Pick<Album, 'id' | 'slug' | 'display_name' | 'created_at'>): AlbumSummary {
  return {
    id: album.id,
    albumName: album.slug,
    displayName: album.display_name,
    createdAt: album.created_at.toISOString(),
  }
}

/** The album for a session that has a grant on it. */
export function enteredAlbum(keyring: Keyring, album: Album, grants: Grant[]): EnteredAlbum {
  return {
    ...summaryOf(album),
    albumPassword: decryptPassword(keyring, album),
    isOwner: isOwner(album, grants),
    ...settingsOf(album),
  }
}
