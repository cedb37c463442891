import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // After a crash of the database everybody comes as if for the first time, so the table is unlogged.
  await sql`
    create unlogged table selfie_places (
      caller bytea primary key,
      due_at timestamptz not null
    )`.execute(db)
  await db.schema.createIndex('selfie_places_by_time').on('selfie_places').column('due_at').execute()
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropTable('selfie_places').execute()
}
