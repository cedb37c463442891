import { sql } from 'kysely'
import type { WhichPhotos } from '../contract/desk-photos.ts'
import type { Db, Trx } from '../database/client.ts'
import { clockAt } from '../database/times.ts'
import { KINDS, PARTLY_SEARCHABLE } from './coverage-queries.ts'
import { type PartOfList, photosOfAlbum } from './queries.ts'

/** The boxes of faces that were left out stay in the database, because a photo of a crowd may have a thousand of them. */
const UNINDEXED_COUNT = sql<number>`coalesce(jsonb_array_length(unindexed_faces), 0)`
const UNINDEXED_REASONS = sql<string[]>`array(
  select distinct jsonb_array_elements_text(face -> 'reasons') as reason
  from jsonb_array_elements(unindexed_faces) as face
  order by reason
)`
const CLOCK = 'YYYY-MM-DD"T"HH24:MI:SS'
const TAKEN_AT = sql<string | null>`case when taken_at is not null then to_char(listed_at, ${CLOCK}) end`

const HOUR_MS = 3_600_000

export interface OwnersFilter {
  which: WhichPhotos
  camera?: string | undefined
  /** Such as `2025-08-19T14`. */
  hour?: string | undefined
}

const ofOwner = (db: Db, albumId: string, part: PartOfList) =>
  photosOfAlbum(db, albumId, part).select([
    ...(['state', 'engine', 'face_count', 'given_up_reason', 'camera'] as const),
    UNINDEXED_COUNT.as('unindexed_count'),
    UNINDEXED_REASONS.as('unindexed_reasons'),
    TAKEN_AT.as('taken'),
  ])

/** Photos of an album as its owner sees them, in the order of lists. */
export function ownersPhotos(
  db: Db,
  albumId: string,
  { which, camera, hour }: OwnersFilter,
  part: PartOfList,
) {
  return ofOwner(db, albumId, part)
    .$if(which === 'partly', (query) => query.where(PARTLY_SEARCHABLE))
    .$if(which !== 'all' && which !== 'partly', (query) => query.where(KINDS[which as keyof typeof KINDS]))
    .$if(camera !== undefined, (query) => query.where('camera', '=', camera!))
    .$if(hour !== undefined, (query) => {
      const from = Date.parse(`${hour}:00Z`)
      return query
        .where('listed_at', '>=', clockAt(`${from}000`))
        .where('listed_at', '<', clockAt(`${from + HOUR_MS}000`))
    })
    .execute()
}
export type OwnersPhoto = Awaited<ReturnType<typeof ownersPhotos>>[number]

/** One of them, with all that is known of it. */
export function ownersPhoto(db: Db, albumId: string, photoId: string) {
  return ofOwner(db, albumId, { limit: 1 })
    .select(['size', 'created_at', 'taken_at', 'shift_minutes', 'unindexed_faces'])
    .where('photos.id', '=', photoId)
    .executeTakeFirst()
}

/** Where the faces of a photo are. Those of opt-outs are among them, because a face that is missing would tell who has opted
 *  out; and so would one more than the photo counts. */
export function faceBoxes(db: Db, photoId: string, limit: number) {
  return db
    .selectFrom('faces')
    .select(['box_left', 'box_top', 'box_width', 'box_height'])
    .where('photo_id', '=', photoId)
    .orderBy('box_left')
    .orderBy('box_top')
    .limit(limit)
    .execute()
}

/** The cameras of an album. Each is looked up in the index of cameras, so that not every photo is read. */
export async function camerasOfAlbum(db: Db, albumId: string, limit: number) {
  const end = (direction: 'asc' | 'desc') => sql`
    select to_char(listed_at, ${CLOCK}) as at, shift_minutes from photos
    where album_id = ${albumId} and camera = found.camera order by listed_at ${sql.raw(direction)} limit 1`
  const { rows } = await sql<{ camera: string; first: string; last: string; shiftMinutes: number }>`
    with recursive found as (
      (select camera from photos where album_id = ${albumId} and camera is not null order by camera limit 1)
      union all
      select (
        select camera from photos where album_id = ${albumId} and camera > found.camera order by camera limit 1
      ) from found where found.camera is not null
    )
    select found.camera, first.at as first, last.at as last, first.shift_minutes as "shiftMinutes"
    from found, lateral (${end('asc')}) first, lateral (${end('desc')}) last
    where found.camera is not null limit ${limit}`.execute(db)
  return rows
}

/** The hours of an album that have photos, in the same way. */
export async function hoursOfAlbum(db: Db, albumId: string, limit: number): Promise<string[]> {
  const { rows } = await sql<{ hour: string }>`
    with recursive found as (
      (select date_trunc('hour', listed_at) as hour from photos
        where album_id = ${albumId} order by listed_at limit 1)
      union all
      select (
        select date_trunc('hour', listed_at) from photos
        where album_id = ${albumId} and listed_at >= found.hour + interval '1 hour' order by listed_at limit 1
      ) from found where found.hour is not null
    )
    select to_char(hour, 'YYYY-MM-DD"T"HH24') as hour from found where hour is not null limit ${limit}`.execute(
    db,
  )
  return rows.map(({ hour }) => hour)
}

/** Shifts the clock of a camera.
 *  @returns how many photos it has taken */
export async function shiftClock(
  trx: Trx,
  albumId: string,
  { camera, minutes }: { camera: string; minutes: number },
): Promise<number> {
  const { numUpdatedRows } = await trx
    .updateTable('photos')
    .set({ shift_minutes: minutes })
    .where('album_id', '=', albumId)
    .where('camera', '=', camera)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

/** Lets photos that were given up wait for the face engine again.
 *  @returns their ids */
export async function waitAgain(trx: Trx, albumId: string): Promise<string[]> {
  const rows = await trx
    .updateTable('photos')
    .set({ state: 'stored', engine: null, given_up_reason: null })
    .where('album_id', '=', albumId)
    .where(KINDS.given_up)
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}
