import type { Album } from '../database/schema.ts'
import { uploadBatch } from '../uploads/accept-batch.ts'
import type { TestDomain } from './domain.ts'
import { indexedFace } from './engine-answers.ts'
import { newPicture } from './sample-photos.ts'

/** An album, and its round that was completed last. */
export interface CompletedAlbum {
  album: Album
  roundId: string
}

/** Completes an upload round, so that the job of its letter waits. A new album gets two photos, the first with a face,
 *  and an album that exists gets one without. In both cases one file is refused. */
export async function completeRound(
  domain: TestDomain,
  {
    album,
    name = 'Party',
    email = 'owner@example.com',
  }: { album?: Album; name?: string | undefined; email?: string | undefined },
): Promise<CompletedAlbum> {
  const to = album ?? (await newAlbum(domain, name, email))
  const photos = album ? 1 : 2
  const files = [await domain.stage(Buffer.from('no photo'), 'notes.jpg')]
  for (let photo = 0; photo < photos; photo++) files.push(await domain.stage(await newPicture()))
  await uploadBatch(domain, to, { totalIntendedPhotos: photos }, files)
  const stored = await domain.db
    .selectFrom('photos')
    .selectAll()
    .where('album_id', '=', to.id)
    .where('state', '=', 'stored')
    .orderBy('created_at')
    .execute()
  for (const [index, photo] of stored.entries())
    await domain.settle(photo, { faces: !album && index === 0 ? [indexedFace()] : [], unindexed: [] })
  const { id: roundId } = await domain.db
    .selectFrom('upload_rounds')
    .select('id')
    .where('album_id', '=', to.id)
    .where('completed_at', 'is not', null)
    .orderBy('completed_at', 'desc')
    .executeTakeFirstOrThrow()
  return { album: to, roundId }
}

async function newAlbum(domain: TestDomain, name: string, email: string): Promise<Album> {
  const { id } = await domain.newAlbum(name)
  return await domain.db
    .updateTable('albums')
    .set({ email })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}
