import { type Expression, type ExpressionBuilder, sql } from 'kysely'
import type { Db, Trx } from '../database/client.ts'
import type { Album, Database, EngineName, Photo } from '../database/schema.ts'
import { microsecondsOf, timeAt } from '../database/times.ts'
import { countHiddenPhotos } from '../photos/hidden-queries.ts'
import { isSlug } from './slug.ts'

/** What names an album in a call: its public id, or its owner key. */
export type AlbumReference = { id: string } | { ownerKeyHash: Buffer }
export type AlbumKey = AlbumReference | { slug: string }

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

/** What visitors may know of an album, and what their grants are compared with. */
export async function findAlbumStatus(db: Db, slug: string) {
  if (!isSlug(slug)) return undefined
  return await db
    .selectFrom('albums')
    .select(['id', 'display_name', 'password_version', 'owner_key_version'])
    .where('slug', '=', slug)
    .executeTakeFirst()
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

/** A place in the list: that of the album with this id and this time of creation, in microseconds since 1970. */
export interface ListPlace {
  microseconds: string
  id: string
}

/** The query for albums with photos whose owners have not taken them off the list, the newest first.
 *  @param after gives the albums after this place; without it, the newest */
export function listedAlbums(db: Db, { after, limit }: { after?: ListPlace | undefined; limit: number }) {
  return (
    db
      .selectFrom('albums')
      .select(['id', 'slug', 'display_name', 'created_at'])
      .select(microsecondsOf('created_at').as('microseconds'))
      // The same condition as in the index albums_listed.
      .where(sql<boolean>`is_listed and photos_stored > 0`)
      .$if(after !== undefined, (query) =>
        query.where(({ eb, refTuple, tuple }) =>
          eb(refTuple('created_at', 'id'), '<', tuple(timeAt(after!.microseconds), after!.id)),
        ),
      )
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(limit)
  )
}

export async function setListed(db: Db | Trx, albumId: string, isListed: boolean): Promise<void> {
  await db.updateTable('albums').set({ is_listed: isListed }).where('id', '=', albumId).execute()
}

/** The names of albums that another engine than this one has indexed. */
export async function albumsOfAnotherEngine(db: Db, engine: EngineName): Promise<string[]> {
  const rows = await db
    .selectFrom('albums')
    .select('slug')
    .where('engine', '<>', engine)
    .orderBy('created_at')
    .execute()
  return rows.map(({ slug }) => slug)
}

/** Makes this the album's engine. All photos of another engine wait for it, and those that were given up are tried again.
 *  @param album locked by this transaction */
export async function setEngine(trx: Trx, album: Album, engine: EngineName): Promise<void> {
  const isOther = album.engine !== null && album.engine !== engine
  const { numUpdatedRows } = await trx
    .updateTable('photos')
    .set({
      engine: null,
      state: sql<Photo['state']>`case when state = 'given_up' then 'stored' else state end`,
      given_up_reason: null,
    })
    .where('album_id', '=', album.id)
    .where('engine', 'is not', null)
    .$if(!isOther, (query) => query.where('state', '=', 'given_up'))
    .executeTakeFirst()
  await trx
    .updateTable('albums')
    .set((row) => ({
      engine,
      photos_settled: row('photos_settled', '-', Number(numUpdatedRows)),
      ...(isOther && { engines_to_clear: [...album.engines_to_clear, album.engine!] }),
    }))
    .where('id', '=', album.id)
    .execute()
}

/** All photos of an album, in the order of their upload, and whether each is indexed already. */
export function photosToIndex(trx: Trx, albumId: string) {
  return trx
    .selectFrom('photos')
    .select((eb) => ['id', eb('engine', 'is not', null).as('isIndexed')])
    .where('album_id', '=', albumId)
    .orderBy('created_at')
    .orderBy('filename')
    .execute()
}

/** Whether faces of an album are still to be removed from an engine. */
export async function isToClear(db: Db, albumId: string, engine: EngineName): Promise<boolean> {
  const album = await db
    .selectFrom('albums')
    .select('engines_to_clear')
    .where('id', '=', albumId)
    .executeTakeFirst()
  return album?.engines_to_clear.includes(engine) ?? false
}

export async function recordCleared(db: Db, albumId: string, engine: EngineName): Promise<void> {
  await db
    .updateTable('albums')
    .set({ engines_to_clear: sql<EngineName[]>`array_remove(engines_to_clear, ${engine})` })
    .where('id', '=', albumId)
    .execute()
}
