import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../database/client.ts'
import type { MeasuredStrangers } from './matching/stranger-distances.ts'

/** What is known of albums without loading them. */
export function readStates(db: Db, albumIds: string[]) {
  return db
    .selectFrom('albums')
    .leftJoin('stranger_distances as strangers', 'strangers.album_id', 'albums.id')
    .select(['albums.id', 'albums.faces_found'])
    .select(['strangers.faces', 'strangers.couples', 'strangers.median', 'strangers.deviation'])
    .where('albums.id', '=', anyOf(albumIds))
    .execute()
}

/** A page of the descriptors that an album got after the face with this number, in the order of their numbers: for each
 *  face its number in eight bytes, and then its descriptor. For 460,000 faces this took 0.6 s, hexadecimal text 0.8 s, and
 *  a row for each face 1.0 s.
 *  @returns undefined when there are none */
export async function descriptorsAfter(
  db: Db,
  albumId: string,
  number: number,
  limit: number,
): Promise<Buffer | undefined> {
  const { rows } = await sql<{ packed: string | null }>`
    select encode(string_agg(int8send(number) || descriptor, ''::bytea order by number), 'base64') as packed
    from (
      select number, descriptor from faces
      where album_id = ${albumId} and number > ${number} and descriptor is not null
      order by number limit ${limit}
    ) page`.execute(db)
  const { packed } = rows[0]!
  return packed === null ? undefined : Buffer.from(packed, 'base64')
}

const DESCRIBED = [
  ...(['id', 'photo_id', 'descriptor', 'sharpness', 'brightness', 'yaw', 'pitch', 'roll'] as const),
  ...(['box_width', 'box_height'] as const),
] as const

/** Those of these faces that an album has, with their descriptors and their quality. `offset 0` makes Postgres look up each
 *  photo. Without it, Postgres reads all albums' photos as soon as a few thousand are wanted.
 *  @param which of their columns says which */
export function describedFaces(db: Db, albumId: string, which: 'id' | 'number', values: string[] | number[]) {
  const wanted = which === 'number' ? sql<string>`any(${values}::bigint[])` : anyOf(values as string[])
  return db
    .selectFrom('faces')
    .innerJoinLateral(
      (from) =>
        from
          .selectFrom('photos')
          .select(['width', 'height'])
          .whereRef('photos.id', '=', 'faces.photo_id')
          .offset(sql.lit(0))
          .as('photo'),
      (join) => join.onTrue(),
    )
    .select(DESCRIBED)
    .select((eb) => [eb.ref('descriptor').$notNull().as('descriptor'), 'photo.width', 'photo.height'])
    .where('album_id', '=', albumId)
    .where(which, '=', wanted)
    .where('descriptor', 'is not', null)
    .execute()
}

/** The numbers of the faces in these photos. */
export async function numbersInPhotos(db: Db, photoIds: string[]): Promise<number[]> {
  const rows = await db
    .selectFrom('faces')
    .select('number')
    .where('photo_id', '=', anyOf(photoIds))
    .where('descriptor', 'is not', null)
    .execute()
  return rows.map(({ number }) => Number(number))
}

export type DescribedFaceRow = Awaited<ReturnType<typeof describedFaces>>[number]

/** The largest faces of photos that show two people and more. The photos come in the order of their hashes, which is that of
 *  an index and says nothing about the people.
 *  @param limit.faces of a photo */
export async function facesTogether(
  db: Db,
  albumId: string,
  limit: { photos: number; faces: number },
): Promise<DescribedFaceRow[]> {
  const { rows } = await sql<DescribedFaceRow>`
    select largest.*, photo.id as photo_id, photo.width, photo.height
    from (
      select id, sha256, width, height
      from photos
      where album_id = ${albumId} and state = 'indexed' and face_count >= 2
      order by sha256
      limit ${limit.photos}
    ) photo
    cross join lateral (
      select id, descriptor, sharpness, brightness, yaw, pitch, roll, box_width, box_height
      from faces
      where faces.photo_id = photo.id and descriptor is not null
      order by box_width * box_height desc
      limit ${limit.faces}
    ) largest
    order by photo.sha256, box_width * box_height desc`.execute(db)
  return rows
}

/** Nothing is stored for an album that has been erased. */
export async function upsertStrangers(
  db: Db,
  albumId: string,
  { faces, couples, median, deviation }: MeasuredStrangers,
): Promise<void> {
  await sql`
    insert into stranger_distances (album_id, faces, couples, median, deviation)
    select id, ${faces}, ${couples}, ${median}, ${deviation}
    from albums where id = ${albumId} for key share
    on conflict (album_id) do update set
      faces = excluded.faces, couples = excluded.couples,
      median = excluded.median, deviation = excluded.deviation`.execute(db)
}

export async function countFaces(db: Db, albumId: string): Promise<number> {
  const row = await db
    .selectFrom('faces')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where('album_id', '=', albumId)
    .where('descriptor', 'is not', null)
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

/** Takes faces out of the searches of an album, so that they are as those of another engine; without ids all of them. */
export async function deleteDescriptors(
  db: Db,
  albumId: string,
  ids?: { of: 'id' | 'photo_id'; values: string[] },
): Promise<void> {
  await db
    .updateTable('faces')
    .set({ descriptor: null })
    .where('album_id', '=', albumId)
    .where('descriptor', 'is not', null)
    .$if(ids !== undefined, (query) => query.where(ids!.of, '=', anyOf(ids!.values)))
    .execute()
}

const anyOf = (ids: string[]): RawBuilder<string> => sql<string>`any(${ids}::uuid[])`
