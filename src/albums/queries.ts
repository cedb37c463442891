import { type Expression, type ExpressionBuilder, sql } from 'kysely'
import type { Db, Trx } from '../database/client.ts'
import type { Album, Database } from '../database/schema.ts'
import { countHiddenPhotos } from '../photos/hidden-queries.ts'
import { paceAfter } from './settling-pace-queries.ts'
import { isSlug } from './slug.ts'

export type AlbumKey = { id: string } | { slug: string } | { ownerKeyHash: Buffer }

function isAlbum(key: AlbumKey) {
  return (where: ExpressionBuilder<Database, 'albums'>) => {
    if ('id' in key) return where('albums.id', '=', key.id)
    if ('slug' in key) return where('albums.slug', '=', key.slug)
    return where('albums.owner_key_hash', '=', key.ownerKeyHash)
  }
}

export async function findAlbum(db: Db | Trx, key: AlbumKey): Promise<Album | undefined> {
  if ('slug' in key && !isSlug(key.slug)) return undefined
  return await db.selectFrom('albums').selectAll().where(isAlbum(key)).executeTakeFirst()
}

/** @returns undefined when the slug is taken. */
export function insertAlbum(
  db: Db | Trx,
  album: Pick<Album, 'owner_key_hash' | 'slug' | 'display_name' | 'email' | 'password_cipher'>,
): Promise<Album | undefined> {
  return db
    .insertInto('albums')
    .values(album)
    .onConflict((conflict) => conflict.column('slug').doNothing())
    .returningAll()
    .executeTakeFirst()
}

/** All albums, the newest first. */
export function newestAlbums(db: Db) {
  return db
    .selectFrom('albums')
    .select(['id', 'slug', 'display_name', 'photos_stored', 'photos_settled', 'created_at'])
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute()
}

/** @returns the locked album with its new counters */
export function addToCounters(
  trx: Trx,
  albumId: string,
  add: { stored?: number; bytes?: number; settled?: number; faces?: number },
): Promise<Album> {
  return trx
    .updateTable('albums')
    .set((row) => ({
      photos_stored: row('photos_stored', '+', add.stored ?? 0),
      bytes_stored: row('bytes_stored', '+', String(add.bytes ?? 0)),
      photos_settled: row('photos_settled', '+', add.settled ?? 0),
      faces_found: row('faces_found', '+', add.faces ?? 0),
      ...(add.settled && add.settled > 0 && paceAfter(add.settled)),
    }))
    .where('id', '=', albumId)
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function markCompleted(trx: Trx, albumId: string): Promise<void> {
  await trx
    .updateTable('albums')
    .set({ completed_at: sql<Date>`coalesce(completed_at, now())` })
    .where('id', '=', albumId)
    .execute()
}

/** Conditions that few photos of an album meet. Each is written exactly as in the index of the same name. Otherwise
 *  Postgres reads all photos of the album. */
const PHOTOS = {
  without_face: sql<boolean>`state = 'indexed' and face_count = 0`,
  with_unindexed_faces: sql<boolean>`unindexed_faces is not null and face_count > 0`,
  given_up: sql<boolean>`state = 'given_up'`,
}

export function countPhotosWithoutFace(db: Db, albumId: string): Promise<number> {
  return countPhotos(db, albumId, PHOTOS.without_face)
}

export function countGivenUp(db: Db, albumId: string): Promise<number> {
  return countPhotos(db, albumId, PHOTOS.given_up)
}

type Counted = Pick<Album, 'id' | 'photos_stored' | 'photos_settled'>

/** The number of photos of an album that are shown. While none waits it follows from the album's counters, so that only the few
 *  other photos are read. */
export async function countIndexed(db: Db, album: Counted): Promise<number> {
  if (album.photos_settled < album.photos_stored)
    return await countPhotos(db, album.id, sql<boolean>`state = 'indexed'`)
  const [givenUp, hidden] = await Promise.all([countGivenUp(db, album.id), countHiddenPhotos(db, album.id)])
  return album.photos_settled - givenUp - hidden
}

/** The number of those that a selfie finds: the others wait to be indexed again. */
export async function countSearchable(db: Db, album: Counted): Promise<number> {
  if (album.photos_settled === album.photos_stored) return await countIndexed(db, album)
  return await countPhotos(db, album.id, sql<boolean>`state = 'indexed' and engine is not null`)
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

/** Sets another address for an album's letters. */
export function setAddress(
  trx: Trx,
  albumId: string,
  { email, isConfirmed }: { email: string; isConfirmed: boolean },
): Promise<Album> {
  return trx
    .updateTable('albums')
    .set({ email, address_confirmed_at: isConfirmed ? sql<Date>`now()` : null })
    .where('id', '=', albumId)
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function markAddressConfirmed(trx: Trx, albumId: string): Promise<void> {
  await trx
    .updateTable('albums')
    .set({ address_confirmed_at: sql<Date>`now()` })
    .where('id', '=', albumId)
    .execute()
}

export async function setPassword(db: Db | Trx, albumId: string, cipher: Buffer): Promise<void> {
  await db
    .updateTable('albums')
    .set((row) => ({ password_cipher: cipher, password_version: row('password_version', '+', 1) }))
    .where('id', '=', albumId)
    .execute()
}

export async function setSettings(
  trx: Trx,
  albumId: string,
  settings: Pick<Album, 'browsing' | 'consent_tick'>,
): Promise<void> {
  await trx.updateTable('albums').set(settings).where('id', '=', albumId).execute()
}

export async function setDisplayName(trx: Trx, albumId: string, displayName: string): Promise<void> {
  await trx.updateTable('albums').set({ display_name: displayName }).where('id', '=', albumId).execute()
}

/** Sets the hash of a new owner key.
 *  @param album locked by this transaction
 *  @returns the changed album */
export function setOwnerKey(
  trx: Trx,
  album: Pick<Album, 'id' | 'owner_key_version'>,
  hash: Buffer,
): Promise<Album> {
  return trx
    .updateTable('albums')
    .set({ owner_key_hash: hash, owner_key_version: album.owner_key_version + 1 })
    .where('id', '=', album.id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Files that are missing from the album or not searchable, each once, with the reason, the newest first: photos that
 *  were given up and files that were refused. */
export function skippedFiles(db: Db, albumId: string, { limit }: { limit?: number } = {}) {
  const refused = db
    .selectFrom('refused_files')
    .select(['filename', 'reason', (eb) => eb.fn.max('created_at').as('created_at')])
    .where('album_id', '=', albumId)
    .groupBy(['filename', 'reason'])
  const givenUp = db
    .selectFrom('photos')
    .select(['filename', sql<string>`coalesce(given_up_reason, '')`.as('reason'), 'created_at'])
    .where('album_id', '=', albumId)
    .where(PHOTOS.given_up)
  return refused
    .unionAll(givenUp)
    .orderBy('created_at', 'desc')
    .orderBy('filename')
    .orderBy('reason')
    .$if(limit !== undefined, (query) => query.limit(limit!))
    .execute()
}

/** The boxes stay in the database, because a photo of a crowd may have a thousand of them. */
const unindexedCount = sql<number>`coalesce(jsonb_array_length(unindexed_faces), 0)`.as('unindexed_count')
const unindexedReasons = sql<string[]>`array(
  select distinct jsonb_array_elements_text(face -> 'reasons') as reason
  from jsonb_array_elements(unindexed_faces) as face
  order by reason
)`.as('unindexed_reasons')

/** Photos without a searchable face, each with the number of faces that were detected but not indexed, and why. */
export function photosWithoutFace(db: Db, albumId: string, limit: number) {
  return db
    .selectFrom('photos')
    .select(['filename', unindexedCount, unindexedReasons])
    .where('album_id', '=', albumId)
    .where(PHOTOS.without_face)
    .orderBy('listed_at')
    .orderBy('listed_name')
    .orderBy('id')
    .limit(limit)
    .execute()
}

/** Photos with searchable faces, in which other faces were detected but not indexed: their number, and why. */
export function photosWithUnindexedFaces(db: Db, albumId: string, limit: number) {
  return db
    .selectFrom('photos')
    .select(['filename', unindexedCount, unindexedReasons])
    .where('album_id', '=', albumId)
    .where(PHOTOS.with_unindexed_faces)
    .orderBy('listed_at')
    .orderBy('listed_name')
    .orderBy('id')
    .limit(limit)
    .execute()
}
