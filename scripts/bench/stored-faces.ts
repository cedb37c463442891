import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { createAlbum } from '../../src/albums/create.ts'
import { COMMAND_LINE } from '../../src/audit/audit-log.ts'
import type { Db } from '../../src/database/client.ts'
import { bytesOf } from '../../src/faces/embedded/descriptors.ts'
import { createKeyring } from '../../src/keyring.ts'
import { anotherPhotoOf } from './strangers.ts'

/** In how many photos of an album each person is. */
export const PHOTOS_OF_EACH = 100

export const FACES_OF_PHOTO = 5

/** Stores an album with 100 pictures of each of these people, five people in a photo, as the service would. The faces have
 *  their quality, and a tenth of them are poor. There are no files.
 *  @returns the album's id */
export async function storeFaces(db: Db, people: Float32Array[]): Promise<string> {
  const albumId = await newAlbum(db, `Bench ${people.length}`)
  for (let photo = 0; photo < PHOTOS_OF_EACH; photo++) await storePictures(db, albumId, people)
  await sql`
    update albums set faces_found = ${people.length * PHOTOS_OF_EACH} where id = ${albumId}`.execute(db)
  await sql`vacuum analyze photos, faces`.execute(db)
  return albumId
}

/** @returns the id of an empty album */
export async function newAlbum(db: Db, albumName: string): Promise<string> {
  const keyring = createKeyring([randomBytes(32).toString('base64url')])
  const { album } = await createAlbum(
    { db, keyring },
    { email: 'owner@example.com', albumName },
    COMMAND_LINE,
  )
  return album.id
}

/** One picture of each person, in photos with other people. */
async function storePictures(db: Db, albumId: string, people: Float32Array[]): Promise<void> {
  const pictures = people.map((person) => bytesOf(anotherPhotoOf(person)))
  await sql`
    with face as materialized (
      select gen_random_uuid() as id, descriptor, (row_number() over (order by random()) - 1) as place
      from unnest(${pictures}::bytea[]) as picture (descriptor)),
    photo as (
      insert into photos (id, album_id, sha256, filename, media_type, size, width, height, placeholder,
        is_taken_as_stored, state, engine, face_count)
      select id, ${albumId}::uuid, sha256(convert_to(id::text, 'UTF8')), 'photo.jpg', 'image/jpeg', 3500000, 4000, 3000,
        decode(repeat('aa8866', 12), 'hex'), true, 'indexed', 'embedded', ${FACES_OF_PHOTO}
      from (select gen_random_uuid() as id
        from generate_series(1, ${Math.ceil(people.length / FACES_OF_PHOTO)}::int)) made
      returning id),
    numbered as materialized (select id, row_number() over () - 1 as number from photo),
    placed as materialized (
      select face.id, face.place, face.descriptor, numbered.id as photo_id
      from face join numbered on number = place / ${FACES_OF_PHOTO})
    insert into faces (id, album_id, photo_id, box_left, box_top, box_width, box_height, confidence,
      sharpness, brightness, yaw, pitch, roll, descriptor)
    select id, ${albumId}::uuid, photo_id, random() * 0.9, random() * 0.9, 0.1, 0.1, 99,
      case when random() < 0.1 then 10 else 90 end, 70, -12.5, 4, 3, descriptor
    from placed order by place`.execute(db)
}
