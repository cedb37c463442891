import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // Each process admits selfies by itself.
  await db.schema.dropTable('selfie_turns').execute()
  await db.schema.dropTable('selfie_places').execute()
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`
    create unlogged table selfie_turns (
      caller bytea primary key,
      holder uuid not null,
      ends_at timestamptz not null
    )`.execute(db)
  await db.schema.createIndex('selfie_turns_by_end').on('selfie_turns').column('ends_at').execute()
  await sql`
    create unlogged table selfie_places (
      caller bytea primary key,
      due_at timestamptz not null
    )`.execute(db)
  await db.schema.createIndex('selfie_places_by_time').on('selfie_places').column('due_at').execute()
}
