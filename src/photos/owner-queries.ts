import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely'
import type { WhichPhotos } from '../contract/desk-photos.ts'
import type { PhotoKind } from '../contract/photo-kinds.ts'
import type { Db } from '../database/client.ts'
import type { Album, Database } from '../database/schema.ts'
import { clockAt } from '../database/times.ts'
import { type PartOfList, photosOfAlbum } from './queries.ts'

/** What an album's photos are to its owner: each is of one kind. Written as in the indexes: otherwise Postgres reads all photos
 *  of the album. */
export const KINDS = {
  searchable: sql<boolean>`state = 'indexed' and engine is not null and face_count > 0`,
  nobody: sql<boolean>`state = 'indexed' and engine is not null and face_count = 0 and unindexed_faces is null`,
  unclear: sql<boolean>`state = 'indexed' and engine is not null and face_count = 0 and unindexed_faces is not null`,
  hidden: sql<boolean>`state = 'hidden'`,
  given_up: sql<boolean>`state = 'given_up'`,
  waiting: sql<boolean>`engine is null and state <> 'hidden'`,
} satisfies Record<PhotoKind, Expression<boolean>>

/** The kind of a photo. */
const KIND = sql<PhotoKind>`case ${sql.join(
  Object.entries(KINDS).map(([kind, isOfKind]) => sql`when ${isOfKind} then ${sql.lit(kind)}`),
  sql` `,
)} end`

/** Searchable photos of which some faces are too small or unclear. */
const PARTLY_SEARCHABLE = sql<boolean>`state = 'indexed' and engine is not null and face_count > 0 and unindexed_faces is not null`

/** Photos that no selfie finds, because they show nobody, or nobody clearly. */
export async function countPhotosWithoutFace(db: Db, albumId: string): Promise<number> {
  const counts = await Promise.all(
    [KINDS.nobody, KINDS.unclear].map((which) => countPhotos(db, albumId, which)),
  )
  return counts.reduce((sum, count) => sum + count)
}

export function countGivenUp(db: Db, albumId: string): Promise<number> {
  return countPhotos(db, albumId, KINDS.given_up)
}

/** How many photos of each kind an album has, at one moment, so that they add up. While photos wait, those that wait and those
 *  that are searchable follow from the album's counters.
 *  @returns undefined when the album was erased */
export async function countKinds(db: Db, albumId: string) {
  const count = (which: Expression<boolean>) =>
    sql<number>`(select count(*)::int from photos where album_id = albums.id and ${which})`
  const counted = await db
    .selectFrom('albums')
    .select(['photos_stored as photosStored', 'photos_settled', 'faces_found as facesFound'])
    .select([
      count(KINDS.nobody).as('photosOfNobody'),
      count(KINDS.unclear).as('photosUnclear'),
      count(KINDS.hidden).as('photosHidden'),
      count(sql<boolean>`state = 'hidden' and engine is null`).as('hidden_waiting'),
      count(KINDS.given_up).as('photosGivenUp'),
      count(PARTLY_SEARCHABLE).as('photosPartlySearchable'),
    ])
    .where('id', '=', albumId)
    .executeTakeFirst()
  if (!counted) return undefined
  const { photos_settled: settled, hidden_waiting, ...counts } = counted
  const { photosStored, photosHidden, photosGivenUp, photosOfNobody, photosUnclear } = counts
  const photosWaiting = photosStored - settled - hidden_waiting
  const others = photosWaiting + photosHidden + photosGivenUp + photosOfNobody + photosUnclear
  return { ...counts, photosWaiting, photosSearchable: photosStored - others }
}

type Counted = Pick<Album, 'id' | 'photos_stored' | 'photos_settled'>

/** The number of photos of an album that are shown. While none waits it follows from the album's counters, so that only the few
 *  other photos are read. */
export async function countIndexed(db: Db, album: Counted): Promise<number> {
  if (album.photos_settled < album.photos_stored)
    return await countPhotos(db, album.id, sql<boolean>`state = 'indexed'`)
  const [givenUp, hidden] = await Promise.all([
    countGivenUp(db, album.id),
    countPhotos(db, album.id, KINDS.hidden),
  ])
  return album.photos_settled - givenUp - hidden
}

async function countPhotos(db: Db, albumId: string, which: Expression<boolean>): Promise<number> {
  const row = await db
    .selectFrom('photos')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where('album_id', '=', albumId)
    .where(which)
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

/** Files that are missing from an album or not searchable, each once, with the reason, the newest first: photos that were given
 *  up and files that were refused. Each row also has the number of all.
 *  @param inRounds without it, all refused files; with it, those of these upload rounds
 *  @param onlyRefused without the photos that were given up, which the album has */
export function skippedFiles(
  db: Db,
  albumId: string,
  {
    limit,
    inRounds,
    onlyRefused = false,
  }: { limit?: number; inRounds?: (where: RoundWhere) => Expression<SqlBool>; onlyRefused?: boolean } = {},
) {
  const refused = db
    .selectFrom('refused_files')
    .select(['filename', 'reason', (eb) => eb.fn.max('created_at').as('created_at')])
    .where('album_id', '=', albumId)
    .$if(inRounds !== undefined, (query) =>
      query.where('round_id', 'in', (rounds) =>
        rounds.selectFrom('upload_rounds').select('upload_rounds.id').where(inRounds!),
      ),
    )
    .groupBy(['filename', 'reason'])
  const givenUp = db
    .selectFrom('photos')
    .select(['filename', sql<string>`coalesce(given_up_reason, '')`.as('reason'), 'created_at'])
    .where('album_id', '=', albumId)
    .where(KINDS.given_up)
  return db
    .selectFrom((onlyRefused ? refused : refused.unionAll(givenUp)).as('skipped'))
    .select(['filename', 'reason', sql<number>`(count(*) over ())::int`.as('total')])
    .orderBy('created_at', 'desc')
    .orderBy('filename')
    .orderBy('reason')
    .$if(limit !== undefined, (query) => query.limit(limit!))
    .execute()
}

type RoundWhere = ExpressionBuilder<Database, 'upload_rounds'>

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
    ...(['face_count', 'given_up_reason', 'camera'] as const),
    KIND.as('kind'),
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
