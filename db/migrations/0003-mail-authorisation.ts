import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // A single mail account sends all letters, so this table has at most one row.
  await db.schema
    .createTable('mail_authorisation')
    .addColumn('only', 'boolean', (column) => column.primaryKey().defaultTo(true).check(sql`"only"`))
    .addColumn('account', 'text', (column) => column.notNull())
    .addColumn('refresh_token_cipher', 'bytea', (column) => column.notNull())
    .addColumn('authorised_at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
    .execute()
  await db.schema
    .createTable('mail_authorisation_requests')
    .addColumn('state_hash', 'bytea', (column) => column.primaryKey())
    .addColumn('code_verifier_cipher', 'bytea', (column) => column.notNull())
    .addColumn('redirect_uri', 'text', (column) => column.notNull())
    .addColumn('created_at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
    .execute()
}

export async function down(db: Kysely<unknown>): Promise<void> {
  for (const table of ['mail_authorisation_requests', 'mail_authorisation'])
    await db.schema.dropTable(table).execute()
}
