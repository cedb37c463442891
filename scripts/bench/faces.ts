import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { createAlbum } from '../../src/albums/create.ts'
import { COMMAND_LINE } from '../../src/audit/audit-log.ts'
import type { Db, Trx } from '../../src/database/client.ts'
import { bytesOf, DESCRIPTOR_LENGTH } from '../../src/faces/embedded/descriptors.ts'
import { createKeyring } from '../../src/keyring.ts'

/** Strangers are 0.75 apart (see similarity.ts). That decides how early a comparison can stop. */
const DEVIATION = 0.75 / Math.sqrt(2 * DESCRIPTOR_LENGTH)

/** Descriptors that the faces of strangers have, and as many of the person of the selfie. */
const POOL = 4_096
/** Photos of a statement. */
const PORTION = 20_000

/** @returns the id of an empty album */
export async function newAlbum(db: Db, albumName: string): Promise<string> {
  const keyring = createKeyring([randomBytes(32).toString('base64url')])
  const owner = { email: 'owner@example.com', albumName }
  return (await createAlbum({ db, keyring }, owner, COMMAND_LINE)).album.id
}

/** The descriptor of anybody. */
export const anybody = () =>
  Float32Array.from({ length: DESCRIPTOR_LENGTH }, () => normal() / Math.sqrt(DESCRIPTOR_LENGTH))

/** The same person in another photo: a quarter of the distance to a stranger. */
export const anotherPhotoOf = (face: Float32Array) => face.map((value) => value + (normal() * DEVIATION) / 4)

/** A normally distributed number with deviation 1 (Box–Muller). */
const normal = () => Math.sqrt(-2 * Math.log(1 - Math.random())) * Math.cos(2 * Math.PI * Math.random())

/** Makes descriptors of strangers, and of the person of the selfie.
 *  @param selfie the descriptor of the selfie, which is as far from the strangers as they are from each other */
export async function preparePool(db: Db, selfie: Float32Array): Promise<void> {
  await sql`create unlogged table descriptor_pool (person text, number int, bytes bytea)`.execute(db)
  const centre = selfie.map((value) => value - normal() * DEVIATION)
  const makers = {
    stranger: () => centre.map((value) => value + normal() * DEVIATION),
    guest: () => anotherPhotoOf(selfie),
  }
  for (const [person, make] of Object.entries(makers)) {
    const pool = Array.from({ length: POOL }, () => bytesOf(make()))
    await sql`insert into descriptor_pool
      select ${person}, number, bytes from unnest(${pool}::bytea[]) with ordinality as made (bytes, number)`.execute(
      db,
    )
  }
  await sql`analyze descriptor_pool`.execute(db)
}

/** Fills an album with indexed photos and random faces, 4.6 in each, as the service would store them, but without files.
 *  @param matches photos that show the person of the selfie
 *  @returns the number of faces */
export async function fillAlbum(db: Db, albumId: string, photos: number, matches: number): Promise<number> {
  for (let from = 1; from <= photos; from += PORTION)
    await db.transaction().execute(async (trx) => {
      // The references are right. To check each takes a fifth of the time.
      await sql`set local session_replication_role = replica`.execute(trx)
      await insertPhotos(trx, albumId, [from, Math.min(photos, from + PORTION - 1)], matches)
    })
  const { rows } = await sql<{ faces: number }>`
    update albums set photos_stored = ${photos}, photos_settled = ${photos}, completed_at = now(), engine = 'embedded',
      bytes_stored = (select sum(size) from photos where album_id = ${albumId}),
      faces_found = (select count(*) from faces where album_id = ${albumId})
    where id = ${albumId} returning faces_found as faces`.execute(db)
  // Now, so that Postgres does not start it during a measurement.
  await sql`vacuum (analyze) photos, faces`.execute(db)
  return rows[0]!.faces
}

/** Inserts photos with 4.6 faces on average. A tenth has none, and a fiftieth has one that is not clear enough. */
async function insertPhotos(
  trx: Trx,
  albumId: string,
  [from, to]: [number, number],
  matches: number,
): Promise<void> {
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
        1 + floor(random() * ${POOL})::int as number
      from photo cross join generate_series(1, face_count) as place)
    insert into faces (id, album_id, photo_id, box_left, box_top, box_width, box_height, confidence,
      sharpness, brightness, yaw, pitch, roll, descriptor)
    select id, ${albumId}::uuid, photo_id, random() * 0.9, random() * 0.9, 0.1, 0.1, 99, 90, 70, -12.5, 4, 3, bytes
    from face join descriptor_pool using (person, number)`.execute(trx)
}
