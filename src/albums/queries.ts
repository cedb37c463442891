import { type ExpressionBuilder, sql, type UpdateObject } from 'kysely'
import { FIRST_SETTINGS } from '../contract/albums/album-settings.ts'
import type { Db, Trx } from '../database/client.ts'
import type { Album, Database, EngineName, Photo } from '../database/schema.ts'
import { isOpenNow, microsecondsOf, timeAt } from '../database/times.ts'
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

export function findAlbums(db: Db, ids: string[]): Promise<Album[]> {
  return db.selectFrom('albums').selectAll().where('id', '=', sql<string>`any(${ids}::uuid[])`).execute()
}

/** @returns undefined when the slug is taken. */
export function insertAlbum(
  db: Db | Trx,
  album: Pick<Album, 'owner_key_hash' | 'slug' | 'display_name' | 'email' | 'password_cipher'>,
): Promise<Album | undefined> {
  return db
    .insertInto('albums')
    .values({ ...album, settings: FIRST_SETTINGS })
    .onConflict((conflict) => conflict.column('slug').doNothing())
    .returningAll()
    .executeTakeFirst()
}

/** All albums, the newest first. */
export function newestAlbums(db: Db) {
  return db
    .selectFrom('albums')
    .select(['id', 'slug', 'display_name', 'photos_stored', 'photos_settled', 'faces_ended_at', 'created_at'])
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute()
}

/** @param albumId of the album that is locked by this transaction */
export function changeAlbum(
  trx: Trx,
  albumId: string,
  changes: UpdateObject<Database, 'albums'>,
): Promise<Album> {
  return trx
    .updateTable('albums')
    .set(changes)
    .where('id', '=', albumId)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Sets the address of an album's letters. */
export function setAddress(
  trx: Trx,
  albumId: string,
  { email, isConfirmed }: { email: string; isConfirmed: boolean },
): Promise<Album> {
  return changeAlbum(trx, albumId, { email, address_confirmed_at: isConfirmed ? sql<Date>`now()` : null })
}

/** A place in the list: that of the album with this id and this time of creation, in microseconds since 1970. */
export interface ListPlace {
  microseconds: string
  id: string
}

/** The query for open albums with photos whose owners have not taken them off the list, the newest first.
 *  @param after gives the albums after this place; without it, the newest */
export function listedAlbums(db: Db, { after, limit }: { after?: ListPlace | undefined; limit: number }) {
  return (
    db
      .selectFrom('albums')
      .select(['id', 'slug', 'display_name', 'created_at'])
      .select(microsecondsOf('created_at').as('microseconds'))
      // The same condition as in the index albums_listed.
      .where(sql<boolean>`settings ->> 'listed' = 'on' and photos_stored > 0`)
      .where(isOpenNow)
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

/** Makes this the album's engine. All photos of another engine wait for it, and so do all photos of an album whose faces have
 *  ended. Those that were given up are tried again.
 *  @param album locked by this transaction
 *  @param engine null: that of the process that begins */
export async function setEngine(trx: Trx, album: Album, engine: EngineName | null): Promise<void> {
  const hadEnded = album.faces_ended_at !== null
  const isOther = hadEnded || (album.engine !== null && album.engine !== engine)
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
      ...(isOther && album.engine && { engines_to_clear: [...album.engines_to_clear, album.engine] }),
      ...(hadEnded && { faces_ended_at: null, ...NEVER_SETTLED }),
    }))
    .where('id', '=', album.id)
    .execute()
}

/** The faces of the album do not end again before its photos are indexed. */
const NEVER_SETTLED = { last_settled_at: sql<Date>`now()`, recently_settled: null, recent_seconds: null }

/** The ids of the albums whose faces are to be deleted: nothing was uploaded or indexed for the days that their owners have chosen.
 *  @param albumId only this one */
export async function albumsWithOldFaces(db: Db | Trx, albumId?: string): Promise<string[]> {
  const since = sql<Date>`now() - make_interval(days => (albums.settings ->> 'facesEndDays')::integer)`
  const rows = await db
    .selectFrom('albums')
    .select('albums.id')
    .where('faces_ended_at', 'is', null)
    .where('engine', 'is not', null)
    .where((eb) => eb(eb.fn.coalesce('last_settled_at', 'created_at'), '<', since))
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('upload_rounds')
            .select('upload_rounds.id')
            .whereRef('upload_rounds.album_id', '=', 'albums.id')
            .where('last_activity_at', '>=', since),
        ),
      ),
    )
    .$if(albumId !== undefined, (query) => query.where('albums.id', '=', albumId!))
    .execute()
  return rows.map(({ id }) => id)
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
