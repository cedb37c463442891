import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // Calls counted in windows. A crash only loses counts, which allows a few more calls, so the table is unlogged.
  await sql`
    create unlogged table rate_limits (
      key bytea primary key,
      count integer not null,
      window_ends_at timestamptz not null
    )`.execute(db)
  await db.schema.createIndex('rate_limits_by_end').on('rate_limits').column('window_ends_at').execute()
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropTable('rate_limits').execute()
}
