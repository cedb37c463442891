import { type Kysely, sql } from 'kysely'

/** The photos that are stored get theirs from a job, which finds them by the index. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('photos').addColumn('placeholder', 'bytea').execute()
  await sql`create index photos_without_placeholder on photos (id) where placeholder is null`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('photos').dropColumn('placeholder').execute()
}
