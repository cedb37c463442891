import { type Kysely, sql } from 'kysely'

/** An album's row is deleted when its owner erases it, and its photos and faces afterwards, a little at a time. So the
 *  large tables no longer refer to it. An old process that erases an album, or removes a collection, leaves their rows to
 *  a job, which a new process completes. */
const REFERENCES = [
  { table: 'photos', to: 'albums', key: 'id' },
  { table: 'faces', to: 'albums', key: 'id' },
  { table: 'face_descriptors', to: 'face_collections', key: 'album_id' },
]

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table erasures (
      album_id uuid primary key,
      owner_key_hash bytea not null unique,
      owner_key_version integer not null,
      engines text[] not null,
      letters uuid[] not null,
      photos integer not null,
      faces integer not null,
      rows_remaining integer not null,
      files_remaining integer not null,
      faces_remaining integer not null,
      erased_at timestamptz not null default now(),
      finished_at timestamptz
    )`.execute(db)
  for (const { table } of REFERENCES)
    await db.schema.alterTable(table).dropConstraint(`${table}_album_id_fkey`).execute()
}

export async function down(db: Kysely<unknown>): Promise<void> {
  for (const { table, to, key } of REFERENCES) {
    await sql`
      delete from ${sql.table(table)} where album_id not in (select ${sql.ref(key)} from ${sql.table(to)})`.execute(
      db,
    )
    await db.schema
      .alterTable(table)
      .addForeignKeyConstraint(`${table}_album_id_fkey`, ['album_id'], to, [key])
      .onDelete('cascade')
      .execute()
  }
  await db.schema.dropTable('erasures').execute()
}
