import { sql } from 'kysely'
import type { Db, Trx } from '../../../src/database/client.ts'
import { bytesOf } from '../../../src/faces/embedded/descriptors.ts'
import { anotherPhotoOf, strangers } from '../strangers.ts'

/** A descriptor is put together from four parts of this pool, so there are very many different ones. */
const PARTS = 4
const POOL = 4_096
/** Photos of a statement. */
const PORTION = 20_000

/** Makes the parts of descriptors: of strangers, and of the person of the selfie.
 *  @param selfie the descriptor of the selfie, which is as far from the strangers as they are from each other */
export async function preparePool(db: Db, selfie: Float32Array): Promise<void> {
  await sql`create unlogged table descriptor_parts (
    person text, part int, number int, bytes bytea, primary key (person, part, number))`.execute(db)
  const pools = {
    stranger: strangers(POOL, selfie),
    guest: Array.from({ length: POOL }, () => anotherPhotoOf(selfie)),
  }
  for (const [person, descriptors] of Object.entries(pools)) {
    const bytes = descriptors.flatMap(inParts)
    await sql`
      insert into descriptor_parts
      select ${person}, (place - 1) % ${PARTS}, (place - 1) / ${PARTS}, bytes
      from unnest(${bytes}::bytea[]) with ordinality as made (bytes, place)`.execute(db)
  }
  await sql`analyze descriptor_parts`.execute(db)
}

function inParts(descriptor: Float32Array): Buffer[] {
  const bytes = bytesOf(descriptor)
  const length = bytes.length / PARTS
  return Array.from({ length: PARTS }, (_, part) => bytes.subarray(part * length, (part + 1) * length))
}

/** Fills an album with indexed photos and random faces, as the service would store them, but without files.
 *  @param matches photos that show the person of the selfie
 *  @returns the number of faces */
export async function fillAlbum(db: Db, albumId: string, photos: number, matches: number): Promise<number> {
  for (let from = 1; from <= photos; from += PORTION)
    await insertPhotos(db, { albumId, from, to: Math.min(photos, from + PORTION - 1), matches })
  const { rows } = await sql<{ faces: number }>`
    update albums set photos_stored = ${photos}, photos_settled = ${photos}, completed_at = now(), engine = 'embedded',
      bytes_stored = (select sum(size) from photos where album_id = ${albumId}),
      faces_found = (select count(*) from faces where album_id = ${albumId})
    where id = ${albumId} returning faces_found as faces`.execute(db)
  return rows[0]!.faces
}

interface Portion {
  albumId: string
  from: number
  to: number
  matches: number
}

/** Inserts photos with 4.6 faces on average. A tenth has none, and a fiftieth has one that is not clear enough. */
async function insertPhotos(db: Db, portion: Portion): Promise<void> {
  await db.transaction().execute(async (trx) => {
    // Postgres estimates two hundred times too many faces, and would look up each part of a descriptor separately.
    await sql`set local enable_nestloop = off`.execute(trx)
    // The references are right. To check each takes a fifth of the time.
    await sql`set local session_replication_role = replica`.execute(trx)
    await insertRows(trx, portion)
  })
}

async function insertRows(trx: Trx, { albumId, from, to, matches }: Portion): Promise<void> {
  const aPart = sql`floor(random() * ${POOL})::int`
  await sql`
    with photo as (
      insert into photos (album_id, sha256, filename, media_type, size, width, height, placeholder, is_taken_as_stored,
        state, engine, face_count, unindexed_faces)
      select ${albumId}::uuid, sha256(convert_to(${albumId}::text || number, 'UTF8')),
        case when number <= ${matches} then 'guest-' else 'photo-' end || number || '.jpg',
        'image/jpeg', 3500000, 4000, 3000, decode(repeat('aa8866', 12), 'hex'), true, 'indexed', 'embedded',
        greatest(floor(random() * 10.2)::int, (number <= ${matches})::int),
        case when number % 50 = 0 then
          '[{"reasons":["LOW_SHARPNESS"],"box":{"left":0.1,"top":0.2,"width":0.05,"height":0.07}}]'::jsonb end
      from generate_series(${from}::int, ${to}::int) as number
      returning id, filename, face_count),
    face as materialized (
      select gen_random_uuid() as id, photo.id as photo_id,
        case when filename like 'guest-%' and place = 1 then 'guest' else 'stranger' end as person,
        ${aPart} as a, ${aPart} as b, ${aPart} as c, ${aPart} as d
      from photo cross join generate_series(1, face_count) as place)
    insert into faces (id, album_id, photo_id, box_left, box_top, box_width, box_height, confidence,
      sharpness, brightness, yaw, pitch, roll, descriptor)
    select face.id, ${albumId}::uuid, photo_id, random() * 0.9, random() * 0.9, 0.1, 0.1, 99, 90, 70, -12.5, 4, 3,
      one.bytes || two.bytes || three.bytes || four.bytes
    from face
    join descriptor_parts one on one.person = face.person and one.part = 0 and one.number = a
    join descriptor_parts two on two.person = face.person and two.part = 1 and two.number = b
    join descriptor_parts three on three.person = face.person and three.part = 2 and three.number = c
    join descriptor_parts four on four.person = face.person and four.part = 3 and four.number = d`.execute(
    trx,
  )
}

/** Adds jobs of photos that have just been indexed. */
export async function addEndedJobs(db: Db, count: number): Promise<void> {
  await sql`
    insert into pgboss.job (name, data, state, started_on, completed_on, policy)
    select 'index-photos', jsonb_build_object('photoId', gen_random_uuid()), 'completed', now(), now(), 'standard'
    from generate_series(1, ${count}::int)`.execute(db)
}

/** Runs vacuum and analyze now, so that Postgres does not start them during a measurement. */
export async function tidyUp(db: Db): Promise<void> {
  await sql`vacuum (analyze)`.execute(db)
}
