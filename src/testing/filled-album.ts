import { sql } from 'kysely'
import type { Db } from '../database/client.ts'

/** Gives an album rows as a large upload leaves them, with nothing in the storage: of 100 photos, one waits to be indexed,
 *  one was given up, and one shows nobody. One of 20 has a face that was left out.
 *  @param size.faces of each photo that shows somebody */
export async function fillAlbum(
  db: Db,
  albumId: string,
  { photos, faces }: { photos: number; faces: number },
): Promise<void> {
  await sql`
    insert into photos (album_id, sha256, filename, media_type, size, width, height, placeholder, camera, state,
      engine, given_up_reason, face_count, unindexed_faces)
    select ${albumId}, sha256(convert_to(${albumId} || n, 'utf8')), n || '.jpg', 'image/jpeg', 1000, 1920, 1280,
      decode(repeat('aa8866', 12), 'hex'),
      case when n % 100 = 5 then 'B' else 'A' end,
      state,
      case when state <> 'stored' then 'embedded' end,
      case when state = 'given_up' then 'The photo could not be searched for faces' end,
      case when state = 'indexed' then case when n % 100 = 3 then 0 else ${faces}::integer end end,
      case when state = 'indexed' and n % 20 = 4 then '[{"reasons": ["LOW_SHARPNESS"], "box": {}}]'::jsonb end
    from (
      select n, case n % 100 when 1 then 'stored' when 2 then 'given_up' else 'indexed' end as state
      from generate_series(1, ${photos}::integer) n
    ) numbered`.execute(db)
  await sql`
    insert into faces (id, album_id, photo_id, box_left, box_top, box_width, box_height, confidence, descriptor)
    select gen_random_uuid(), album_id, id, 0.1, 0.1, 0.2, 0.2, 99, decode(repeat('00', 128), 'hex')
    from photos, generate_series(1, face_count)
    where album_id = ${albumId}`.execute(db)
  await sql`
    update albums set
      photos_stored = counted.stored, photos_settled = counted.settled, faces_found = counted.faces,
      completed_at = now(), engine = 'embedded'
    from (
      select count(*) as stored, count(*) filter (where state <> 'stored') as settled,
        coalesce(sum(face_count), 0) as faces
      from photos where album_id = ${albumId}
    ) counted
    where id = ${albumId}`.execute(db)
}
