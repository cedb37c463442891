import { randomBytes } from 'node:crypto'
import { photoKey } from '../photos/renditions.ts'
import type { TestApp } from './app.ts'
import { PLACEHOLDER } from './indexed-photos.ts'

/** Adds photos to an album as rows and as files that are ready to be downloaded, without decoding any.
 *  @param bytes of each file; 0 for rows without files
 *  @returns the photos' addresses, without an origin */
export async function addZippedPhotos(
  { context, database }: TestApp,
  albumName: string,
  { count, bytes }: { count: number; bytes: number },
): Promise<string[]> {
  const { db } = database
  const { id: album_id } = await db
    .selectFrom('albums')
    .select('id')
    .where('slug', '=', albumName)
    .executeTakeFirstOrThrow()
  const photos = Array.from({ length: count }, (_, index) => ({
    album_id,
    sha256: randomBytes(32),
    filename: `${index}.jpg`,
    media_type: 'image/jpeg' as const,
    size: bytes,
    full_bytes: bytes,
    width: 1,
    height: 1,
    placeholder: PLACEHOLDER,
  }))
  const content = randomBytes(bytes)
  const rows = await db.insertInto('photos').values(photos).returning('id').execute()
  const { storage, links } = context
  if (bytes > 0)
    for (const { sha256 } of photos)
      await storage.write(photoKey(album_id, sha256, 'full'), content, 'image/jpeg')
  return rows.map(({ id }) => links.sign(id, 1).url)
}
