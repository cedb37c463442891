import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('albums')
    .addColumn('address_confirmed_at', 'timestamptz')
    .addColumn('letters_ended_at', 'timestamptz')
    .execute()

  await db.schema
    .alterTable('upload_rounds')
    .addColumn('letter_of', 'uuid')
    .addColumn('letter_due_at', 'timestamptz')
    .addColumn('letter_begun_at', 'timestamptz')
    .execute()
  await db.schema.createIndex('upload_rounds_by_album').on('upload_rounds').column('album_id').execute()

  await db.schema
    .createTable('unconfirmed_letters')
    .addColumn('id', 'uuid', (column) => column.primaryKey().defaultTo(sql`gen_random_uuid()`))
    .addColumn('mailbox_hash', 'bytea', (column) => column.notNull())
    .addColumn('begun_at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
    .execute()
  await db.schema
    .createIndex('unconfirmed_letters_by_mailbox')
    .on('unconfirmed_letters')
    .columns(['mailbox_hash', 'begun_at'])
    .execute()

  await db.schema
    .createTable('refused_addresses')
    .addColumn('address_hash', 'bytea', (column) => column.primaryKey())
    .addColumn('refused_at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
    .execute()
}

export async function down(db: Kysely<unknown>): Promise<void> {
  for (const table of ['refused_addresses', 'unconfirmed_letters']) await db.schema.dropTable(table).execute()
  await db.schema.dropIndex('upload_rounds_by_album').execute()
  for (const column of ['letter_of', 'letter_due_at', 'letter_begun_at'])
    await db.schema.alterTable('upload_rounds').dropColumn(column).execute()
  for (const column of ['address_confirmed_at', 'letters_ended_at'])
    await db.schema.alterTable('albums').dropColumn(column).execute()
}
