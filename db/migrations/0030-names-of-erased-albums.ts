import { type Kysely, sql } from 'kysely'

/** The name of an erased album, as a keyed hash, so that nobody else gets it at once. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table erasures add column slug_hash bytea`.execute(db)
  await sql`create index erasures_slug_hash on erasures (slug_hash)`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('erasures').dropColumn('slug_hash').execute()
}
