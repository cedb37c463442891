import { type Kysely, sql } from 'kysely'

/** A job makes the placeholders of photos that are already stored. It finds them by this index. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('photos').addColumn('placeholder', 'bytea').execute()
  await sql`create index photos_without_placeholder on photos (id) where placeholder is null`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('photos').dropColumn('placeholder').execute()
}
