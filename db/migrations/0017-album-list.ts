import { type Kysely, sql } from 'kysely'

/** What the public list of albums reads. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table albums add column is_listed boolean not null default true`.execute(db)
  await sql`
    create index albums_listed on albums (created_at, id) where is_listed and photos_stored > 0`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop index albums_listed`.execute(db)
  await sql`alter table albums drop column is_listed`.execute(db)
}
