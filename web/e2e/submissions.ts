import { randomUUID } from 'node:crypto'
import { readSample } from '../../src/testing/client.ts'
import { insertIndexedPhotos } from '../../src/testing/indexed-photos.ts'
import { variants } from './album-visits.ts'
import type { Site } from './site.ts'

/** Submissions in any state that a test needs, on a site whose queues do not run. */
export interface Submissions {
  /** One that has not been matched yet. @returns its id. */
  submit(): Promise<string>
  /** Ends it with this many matches: two stored photos, and others whose files are missing. */
  match(id: string, count: number): Promise<void>
  /** Ends it with questions about the two stored photos. */
  ask(id: string): Promise<void>
  /** Ends it without an outcome, as when its selfie had to be deleted first. */
  expire(id: string): Promise<void>
  isThere(id: string): Promise<boolean>
}

const STORED = 2
const LOST = 508

export async function prepareSubmissions({ createAlbum, database: { db } }: Site): Promise<Submissions> {
  const { ownerKey, owner, albumName } = await createAlbum('Garden Party')
  await owner.uploadPhotos(ownerKey, await variants(await readSample(1), STORED), {
    totalIntendedPhotos: STORED,
  })
  const photos = await db
    .selectFrom('photos')
    .innerJoin('albums', 'albums.id', 'photos.album_id')
    .select(['photos.id', 'album_id'])
    .where('slug', '=', albumName)
    .orderBy('filename')
    .execute()
  const albumId = photos[0]!.album_id
  const lost = await insertIndexedPhotos(db, albumId, LOST)
  const photoIds = [...photos.map(({ id }) => id), ...lost]

  return {
    async submit() {
      const { id } = await db
        .insertInto('submissions')
        .defaultValues()
        .returning('id')
        .executeTakeFirstOrThrow()
      await db
        .insertInto('submission_albums')
        .values({ submission_id: id, album_id: albumId, password_version: null })
        .execute()
      return id
    },

    async match(id, count) {
      const matches = photoIds
        .slice(0, count)
        .map((photo_id, index) => ({ submission_id: id, photo_id, similarity: 99 - index / 10 }))
      if (count > 0) await db.insertInto('submission_matches').values(matches).execute()
      await db
        .updateTable('submission_albums')
        .set({ matches: count })
        .where('submission_id', '=', id)
        .execute()
      await db.updateTable('submissions').set({ outcome: 'matched' }).where('id', '=', id).execute()
    },

    async ask(id) {
      const box = { box_left: 0.3, box_top: 0.2, box_width: 0.2, box_height: 0.3, confidence: 99 }
      const faces = photos.map((photo) => ({
        ...box,
        id: randomUUID(),
        album_id: albumId,
        photo_id: photo.id,
      }))
      await db.insertInto('faces').values(faces).execute()
      await db
        .insertInto('submission_possible_faces')
        .values(faces.map((face) => ({ submission_id: id, face_id: face.id, similarity: 74 })))
        .execute()
      await db
        .updateTable('photos')
        .set({ state: 'indexed', engine: 'embedded', face_count: 1 })
        .where('album_id', '=', albumId)
        .where('state', '=', 'stored')
        .execute()
      await db.updateTable('submissions').set({ outcome: 'matched' }).where('id', '=', id).execute()
    },

    async expire(id) {
      await db.updateTable('submissions').set({ outcome: 'expired' }).where('id', '=', id).execute()
    },

    async isThere(id) {
      const row = await db.selectFrom('submissions').select('id').where('id', '=', id).executeTakeFirst()
      return row !== undefined
    },
  }
}
