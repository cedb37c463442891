import { type Kysely, sql } from 'kysely'

const isEngine = sql`engine in ('embedded', 'rekognition')`

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('photos')
    .addColumn('engine', 'text', (column) => column.check(isEngine))
    .addColumn('refused_by', 'text')
    .execute()
  await db.schema
    .createTable('album_engines')
    .addColumn('album_id', 'uuid', (column) => column.notNull().references('albums.id').onDelete('cascade'))
    .addColumn('engine', 'text', (column) => column.notNull().check(isEngine))
    .addColumn('collection_id', 'uuid', (column) => column.notNull().defaultTo(sql`gen_random_uuid()`))
    .addColumn('is_leaving', 'boolean', (column) => column.notNull().defaultTo(false))
    .addPrimaryKeyConstraint('album_engines_pkey', ['album_id', 'engine'])
    .execute()
  // The engine that the workers were last started with, so this table has at most one row.
  await db.schema
    .createTable('chosen_engine')
    .addColumn('only', 'boolean', (column) => column.primaryKey().defaultTo(true).check(sql`"only"`))
    .addColumn('engine', 'text', (column) => column.notNull().check(isEngine))
    .execute()

  // Until now an album was in one engine, and the embedded engine has a collection row for each of its albums.
  await sql`
    insert into album_engines (album_id, engine)
    select id, case when exists (select from face_collections where album_id = albums.id)
      then 'embedded' else 'rekognition' end
    from albums
    where exists (select from photos where album_id = albums.id and state <> 'stored')`.execute(db)
  await sql`
    update photos set
      engine = case state when 'indexed' then album_engines.engine end,
      refused_by = case state when 'given_up' then album_engines.engine end
    from album_engines
    where album_engines.album_id = photos.album_id and state <> 'stored'`.execute(db)
  await sql`create index photos_by_engine on photos (engine, album_id) where state <> 'stored'`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropTable('chosen_engine').execute()
  await db.schema.dropTable('album_engines').execute()
  await db.schema.alterTable('photos').dropColumn('engine').dropColumn('refused_by').execute()
}
