import { type Kysely, sql } from 'kysely'

/** A kind and an asker for each letter to an address that is not confirmed; alerts of one address that wait side by side;
 *  and changes of the address that an album's letters go to. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('unconfirmed_letters')
    .addColumn('kind', 'text', (column) => column.notNull().defaultTo('album'))
    .addColumn('asker_hash', 'bytea')
    .execute()
  await db.schema
    .alterTable('unconfirmed_letters')
    .alterColumn('kind', (column) => column.dropDefault())
    .execute()

  // An address has one confirmed alert for an album, and any number that wait to be confirmed.
  await db.schema.dropIndex('photo_alerts_once').execute()
  await sql`
    create unique index photo_alerts_once on photo_alerts (album_id, address_hash)
    where confirmed_at is not null`.execute(db)
  await db.schema
    .createIndex('photo_alerts_by_album')
    .on('photo_alerts')
    .columns(['album_id', 'address_hash'])
    .execute()

  await db.schema
    .createTable('address_changes')
    .addColumn('id', 'uuid', (column) => column.primaryKey())
    .addColumn('album_id', 'uuid', (column) => column.notNull().references('albums.id').onDelete('cascade'))
    .addColumn('new_address', 'bytea')
    .addColumn('former_address', 'bytea')
    .addColumn('notice_id', 'uuid', (column) => column.notNull().defaultTo(sql`gen_random_uuid()`))
    .addColumn('confirmed_at', 'timestamptz')
    .addColumn('created_at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
    .execute()
  await db.schema
    .createIndex('address_changes_by_album')
    .on('address_changes')
    .columns(['album_id', 'created_at'])
    .execute()
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropTable('address_changes').execute()
  await db.schema.dropIndex('photo_alerts_by_album').execute()
  await db.schema.dropIndex('photo_alerts_once').execute()
  // Before, an address had one alert for an album that waited.
  await sql`
    delete from photo_alerts using photo_alerts as newer
    where newer.album_id = photo_alerts.album_id and newer.address_hash = photo_alerts.address_hash
      and newer.confirmed_at is null and photo_alerts.confirmed_at is null
      and (newer.created_at, newer.id) > (photo_alerts.created_at, photo_alerts.id)`.execute(db)
  await sql`
    create unique index photo_alerts_once on photo_alerts (album_id, address_hash, (confirmed_at is null))`.execute(
    db,
  )
  for (const column of ['kind', 'asker_hash'])
    await db.schema.alterTable('unconfirmed_letters').dropColumn(column).execute()
}
