import { type Kysely, sql } from 'kysely'

/** Two settings of an album, the consents that searches have had, and the order in which guests browse its photos. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table albums
      add column browsing boolean not null default false,
      add column consent_tick boolean not null default false`.execute(db)
  await sql`
    create table consents (
      album_id uuid not null references albums on delete cascade,
      version integer not null,
      minute timestamptz not null,
      searches integer not null,
      primary key (album_id, version, minute)
    )`.execute(db)
  await sql`
    create index photos_in_order on photos (album_id, created_at, filename, id) where state = 'indexed'`.execute(
    db,
  )
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop index photos_in_order`.execute(db)
  await db.schema.dropTable('consents').execute()
  await sql`alter table albums drop column consent_tick, drop column browsing`.execute(db)
}
