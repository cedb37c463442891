import { sql } from 'kysely'
import { type AlbumSettings, FIRST_SETTINGS } from '../contract/albums/album-settings.ts'
import type { Db } from '../database/client.ts'

/** Changes settings of an album, or of all, also to what their owners could not choose. */
export async function putSettings(db: Db, changes: Partial<AlbumSettings>, albumId?: string): Promise<void> {
  await db
    .updateTable('albums')
    .set({ settings: sql`settings || ${JSON.stringify(changes)}` })
    .$if(albumId !== undefined, (query) => query.where('id', '=', albumId!))
    .execute()
}

/** Inserts the opt-out of a guest, with the photos that they ask to hide.
 *  @returns its id */
export async function insertOptOut(db: Db, albumId: string, photos_to_hide?: string[]): Promise<string> {
  const row = {
    album_id: albumId,
    state: 'active' as const,
    faces: 1,
    photos_to_hide: photos_to_hide ?? null,
  }
  return (await db.insertInto('opt_outs').values(row).returning('id').executeTakeFirstOrThrow()).id
}

/** Makes the public list show albums, without the time that uploads take: as if each had a photo. */
export async function showInList(db: Db, slugs: string[]): Promise<void> {
  await db.updateTable('albums').set({ photos_stored: 1 }).where('slug', 'in', slugs).execute()
}

/** Adds albums with one photo each, as the public list reads them: `prefix-1`, the oldest, to `prefix-COUNT`. */
export async function addListedAlbums(db: Db, prefix: string, count: number): Promise<void> {
  for (let first = 1; first <= count; first += 5_000) {
    const numbers = Array.from({ length: Math.min(5_000, count - first + 1) }, (_, index) => first + index)
    await db
      .insertInto('albums')
      .values(
        numbers.map((number) => ({
          slug: `${prefix}-${number}`,
          display_name: `${prefix} ${number}`,
          owner_key_hash: Buffer.from(`${prefix} ${number}`),
          email: 'owner@example.com',
          password_cipher: Buffer.alloc(0),
          photos_stored: 1,
          settings: FIRST_SETTINGS,
          // Some have the same time.
          created_at: new Date(1_700_000_000_000 + Math.floor(number / 3)),
        })),
      )
      .execute()
  }
}
