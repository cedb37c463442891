import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // Sessions from before this version of Inframe count as those of version 1.
  await db.schema
    .alterTable('albums')
    .addColumn('owner_key_version', 'integer', (column) => column.notNull().defaultTo(1))
    .execute()
  await db.schema.alterTable('submission_albums').addColumn('owner_key_version', 'integer').execute()
  // Cookies cannot be taken back, so the service remembers which sessions have ended.
  await db.schema
    .createTable('ended_sessions')
    .addColumn('id', 'uuid', (column) => column.primaryKey())
    .addColumn('ended_at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
    .execute()
  await db.schema.createIndex('ended_sessions_by_time').on('ended_sessions').column('ended_at').execute()
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropTable('ended_sessions').execute()
  await db.schema.alterTable('submission_albums').dropColumn('owner_key_version').execute()
  await db.schema.alterTable('albums').dropColumn('owner_key_version').execute()
}
