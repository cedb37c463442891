import { type Kysely, sql } from 'kysely'

/** Guests who want a letter when there are more photos of them, and when each photo was indexed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('photo_alerts')
    .addColumn('id', 'uuid', (column) => column.primaryKey())
    .addColumn('album_id', 'uuid', (column) => column.notNull().references('albums.id').onDelete('cascade'))
    .addColumn('address_hash', 'bytea', (column) => column.notNull())
    .addColumn('sealed', 'bytea', (column) => column.notNull())
    .addColumn('consent_version', 'integer', (column) => column.notNull())
    .addColumn('looked_until', 'timestamptz', (column) => column.notNull())
    .addColumn('letter_ids', sql`uuid[]`, (column) => column.notNull())
    .addColumn('letter_until', 'timestamptz')
    .addColumn('letter_photos', 'integer')
    .addColumn('told_at', 'timestamptz')
    .addColumn('confirmed_at', 'timestamptz')
    .addColumn('ends_at', 'timestamptz', (column) => column.notNull())
    .addColumn('created_at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
    .execute()
  // An address may have two alerts for an album: one that is confirmed, and one that waits to be confirmed.
  await sql`
    create unique index photo_alerts_once on photo_alerts (album_id, address_hash, (confirmed_at is null))`.execute(
    db,
  )
  await db.schema.alterTable('photos').addColumn('indexed_at', 'timestamptz').execute()
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('photos').dropColumn('indexed_at').execute()
  await db.schema.dropTable('photo_alerts').execute()
}
