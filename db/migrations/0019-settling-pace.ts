import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('albums')
    .addColumn('last_settled_at', 'timestamptz')
    .addColumn('recently_settled', 'float8')
    .addColumn('recent_seconds', 'float8')
    .execute()
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('albums')
    .dropColumn('last_settled_at')
    .dropColumn('recently_settled')
    .dropColumn('recent_seconds')
    .execute()
}
