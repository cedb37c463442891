import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table invitations (
      code_hash bytea primary key,
      albums_left integer not null check (albums_left >= 0),
      expires_at timestamptz not null,
      created_at timestamptz not null default now()
    )`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropTable('invitations').execute()
}
