import type { Trx } from '../database/client.ts'
import type { Photo } from '../database/schema.ts'

const COLUMNS = { thumb: 'thumb_bytes', preview: 'preview_bytes', full: 'full_bytes' } as const

/** Records how many bytes a rendition has, with its photo and in what its album holds. May be repeated.
 *  @param trx has locked the album
 *  @returns whether the photo is still in the album */
export async function recordRendition(
  trx: Trx,
  { album_id, sha256 }: Pick<Photo, 'album_id' | 'sha256'>,
  rendition: keyof typeof COLUMNS,
  bytes: number,
): Promise<boolean> {
  const column = COLUMNS[rendition]
  const photo = await trx
    .selectFrom('photos')
    .select(['id', `${column} as recorded`])
    .where('album_id', '=', album_id)
    .where('sha256', '=', sha256)
    .executeTakeFirst()
  if (!photo) return false
  if (photo.recorded === bytes) return true
  await trx
    .updateTable('photos')
    .set({ [column]: bytes })
    .where('id', '=', photo.id)
    .execute()
  await trx
    .updateTable('albums')
    .set((row) => ({ bytes_stored: row('bytes_stored', '+', String(bytes - photo.recorded)) }))
    .where('id', '=', album_id)
    .execute()
  return true
}
