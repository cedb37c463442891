import type { Db } from '../database/client.ts'

interface Searched {
  albumId: string
  /** Of a guest's submission. */
  passwordVersion?: number
  /** Of an owner's submission. */
  ownerKeyVersion?: number
}

/** Inserts a submission whose selfie has been matched.
 *  @param matches the photos that it found, with their similarities
 *  @returns its id */
export async function insertMatchedSubmission(
  db: Db,
  { albumId, passwordVersion, ownerKeyVersion }: Searched,
  matches: { photoId: string; similarity: number }[],
): Promise<string> {
  const { id } = await db
    .insertInto('submissions')
    .values({ outcome: 'matched', selfie_deleted_at: new Date() })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('submission_albums')
    .values({
      submission_id: id,
      album_id: albumId,
      password_version: passwordVersion ?? null,
      owner_key_version: ownerKeyVersion ?? null,
      matches: matches.length,
    })
    .execute()
  if (matches.length > 0)
    await db
      .insertInto('submission_matches')
      .values(
        matches.map(({ photoId, similarity }) => ({ submission_id: id, photo_id: photoId, similarity })),
      )
      .execute()
  return id
}
