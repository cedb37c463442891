import { type Kysely, sql } from 'kysely'

/** Which network has opened an upload round, as a keyed hash. It is kept for a day. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('upload_rounds').addColumn('network_hash', 'bytea').execute()
  await db.schema
    .createIndex('upload_rounds_with_network')
    .on('upload_rounds')
    .column('opened_at')
    .where(sql.ref('network_hash'), 'is not', null)
    .execute()
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('upload_rounds').dropColumn('network_hash').execute()
}
