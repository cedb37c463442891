import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // No reference to albums: the rows stay after an album has been erased.
  await db.schema
    .createTable('audit_log')
    .addColumn('id', 'bigint', (column) => column.primaryKey().generatedAlwaysAsIdentity())
    .addColumn('at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
    .addColumn('event', 'text', (column) => column.notNull())
    .addColumn('album_id', 'uuid')
    .addColumn('album_name_hash', 'bytea')
    .addColumn('role', 'text', (column) => column.notNull())
    .addColumn('session_hash', 'bytea')
    .addColumn('address_hash', 'bytea')
    .execute()
  await db.schema.createIndex('audit_log_by_album').on('audit_log').column('album_id').execute()
  await db.schema.createIndex('audit_log_by_album_name').on('audit_log').column('album_name_hash').execute()
  await db.schema.createIndex('audit_log_by_time').on('audit_log').column('at').execute()
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropTable('audit_log').execute()
}
