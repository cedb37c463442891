import { sql } from 'kysely'
import type { Db, Trx } from '../database/client.ts'
import type { NewPhoto, Photo } from '../database/schema.ts'
import { clockAt, microsecondsOf } from '../database/times.ts'

export function findPhoto(db: Db | Trx, photoId: string): Promise<Photo | undefined> {
  return db.selectFrom('photos').selectAll().where('id', '=', photoId).executeTakeFirst()
}

/** Which of the photos that addresses name exist, with what their albums say about the addresses, in the order of lists. */
export function linkedPhotos(db: Db, photoIds: string[]) {
  return db
    .selectFrom('photos')
    .innerJoin('albums', 'albums.id', 'photos.album_id')
    .select([
      'photos.id',
      'photos.album_id',
      'photos.state',
      'photos.sha256',
      'photos.filename',
      'photos.media_type',
      'photos.width',
      'photos.height',
      'photos.taken_at',
      'photos.created_at',
      'photos.full_bytes',
      'albums.password_version',
      'albums.owner_key_version',
      'albums.settings',
      'albums.slug',
    ])
    .where('photos.id', '=', sql<string>`any(${photoIds}::uuid[])`)
    .orderBy('listed_at')
    .orderBy('listed_name')
    .orderBy('photos.id')
    .execute()
}
export type LinkedPhoto = Awaited<ReturnType<typeof linkedPhotos>>[number]

/** Which of these hashes the album already has, in hex. */
export async function storedHashes(db: Db | Trx, albumId: string, hashes: Buffer[]): Promise<Set<string>> {
  if (hashes.length === 0) return new Set()
  const rows = await db
    .selectFrom('photos')
    .select('sha256')
    .where('album_id', '=', albumId)
    .where('sha256', 'in', hashes)
    .execute()
  return new Set(rows.map((row) => row.sha256.toString('hex')))
}

/** @returns the new rows. The others already existed; another request may have just inserted them. */
export function insertPhotos(trx: Trx, photos: NewPhoto[]): Promise<Pick<Photo, 'id' | 'sha256' | 'size'>[]> {
  if (photos.length === 0) return Promise.resolve([])
  return trx
    .insertInto('photos')
    .values(photos.map((photo) => ({ ...photo, shift_minutes: shiftOfCamera(photo) })))
    .onConflict((conflict) => conflict.constraint('photos_once_per_album').doNothing())
    .returning(['id', 'sha256', 'size'])
    .execute()
}

/** How the owner has shifted the clock of a photo's camera before. */
const shiftOfCamera = ({ album_id, camera }: NewPhoto) => sql<number>`coalesce((
  select shift_minutes from photos where album_id = ${album_id} and camera = ${camera ?? null} limit 1), 0)`

/** The number of photos in each state. It follows from the counters of the albums and the few photos that were given up,
 *  so that no other photo is read. */
export async function countPhotosByStage(
  db: Db,
): Promise<Record<'waiting' | 'indexed' | 'given_up', number>> {
  const { rows } = await sql<{ waiting: number; settled: number; given_up: number }>`
    select
      coalesce(sum(photos_stored - photos_settled), 0)::int as waiting,
      coalesce(sum(photos_settled), 0)::int as settled,
      (select count(*)::int from photos join albums on albums.id = album_id where state = 'given_up') as given_up
    from albums`.execute(db)
  const { waiting, settled, given_up } = rows[0]!
  return { waiting, indexed: settled - given_up, given_up }
}

/** What the answers say about a photo. */
export const SHOWN = [
  'photos.filename',
  'photos.media_type',
  'photos.width',
  'photos.height',
  'photos.placeholder',
] as const

/** Which of these photos are indexed, for the results of a search in their album. None when the album was erased
 *  meanwhile. */
export function indexedPhotos(db: Db, albumId: string, photoIds: string[]) {
  return indexed(db, albumId, photoIds)
    .select(['photos.id', ...SHOWN])
    .execute()
}

const indexed = (db: Db | Trx, albumId: string, photoIds: string[]) =>
  db
    .selectFrom('photos')
    .innerJoin('albums', 'albums.id', 'photos.album_id')
    .where('albums.id', '=', albumId)
    .where('photos.state', '=', 'indexed')
    .where('photos.id', '=', sql<string>`any(${photoIds}::uuid[])`)

/** The ids of the photos that indexedPhotos gives. */
export async function indexedPhotoIds(
  db: Db | Trx,
  albumId: string,
  photoIds: string[],
): Promise<Set<string>> {
  const rows = await indexed(db, albumId, photoIds).select('photos.id').execute()
  return new Set(rows.map(({ id }) => id))
}

/** How many of the photos are shown, and were indexed after one time and not after another. */
export async function countIndexedBetween(
  db: Db,
  albumId: string,
  photoIds: string[],
  { after, until }: { after: Date; until: Date },
): Promise<number> {
  const indexedAt = sql<Date>`coalesce(indexed_at, created_at)`
  const row = await db
    .selectFrom('photos')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where('id', '=', sql<string>`any(${photoIds}::uuid[])`)
    .where('album_id', '=', albumId)
    .where('state', '=', 'indexed')
    .where(indexedAt, '>', after)
    .where(indexedAt, '<=', until)
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

/** A place in the order of an album's photos: that of the photo with this id, this name and this time, in microseconds since
 *  1970. */
export interface PhotoPlace {
  microseconds: string
  name: string
  id: string
}

/** A part of a list of photos. */
export interface PartOfList {
  /** Gives the photos after this place; without it, the first. */
  after?: PhotoPlace | undefined
  limit: number
}

/** The query for photos of an album in the order in which they were taken, and then of their names. */
export function photosOfAlbum(db: Db, albumId: string, { after, limit }: PartOfList) {
  return db
    .selectFrom('photos')
    .select(['photos.id', ...SHOWN])
    .select([microsecondsOf('listed_at').as('microseconds'), 'listed_name as name'])
    .where('album_id', '=', albumId)
    .$if(after !== undefined, (query) =>
      query.where(({ eb, refTuple, tuple }) =>
        eb(
          refTuple('listed_at', 'listed_name', 'id'),
          '>',
          tuple(clockAt(after!.microseconds), after!.name, after!.id),
        ),
      ),
    )
    .orderBy('listed_at')
    .orderBy('listed_name')
    .orderBy('id')
    .limit(limit)
}

/** Those that guests may see. */
export function photosInOrder(db: Db, albumId: string, part: PartOfList) {
  // The same condition as in the index photos_in_order.
  return photosOfAlbum(db, albumId, part).where(sql<boolean>`state = 'indexed'`).execute()
}

/** The place of a photo as a text, for the next part of a list. */
export const cursorAt = ({ microseconds, id, name }: PhotoPlace) => `${microseconds}.${id}.${name}`

export function placeAt(cursor: string): PhotoPlace {
  const [microseconds = '', id = '', ...name] = cursor.split('.')
  return { microseconds, id, name: name.join('.') }
}

/** Records how many bytes a photo has at full size. May be repeated.
 *  @returns whether the photo is still in the album */
export async function recordFullSize(
  db: Db,
  { album_id, sha256 }: Pick<Photo, 'album_id' | 'sha256'>,
  bytes: number,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('photos')
    .set({ full_bytes: bytes })
    .where('album_id', '=', album_id)
    .where('sha256', '=', sha256)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
