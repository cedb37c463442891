import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // A crash of the database ends all turns, and with them the work, so the table is unlogged.
  await sql`
    create unlogged table selfie_turns (
      caller bytea primary key,
      holder uuid not null,
      ends_at timestamptz not null
    )`.execute(db)
  await db.schema.createIndex('selfie_turns_by_end').on('selfie_turns').column('ends_at').execute()
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropTable('selfie_turns').execute()
}
