import { type Kysely, sql } from 'kysely'

/** What guests have asked to be taken out of albums. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('take_outs')
    .addColumn('id', 'uuid', (column) => column.primaryKey().defaultTo(sql`gen_random_uuid()`))
    .addColumn('album_id', 'uuid', (column) => column.notNull().references('albums.id').onDelete('cascade'))
    .addColumn('faces', 'integer', (column) => column.notNull())
    .addColumn('photos_to_hide', sql`uuid[]`)
    .addColumn('answer', 'text', (column) => column.check(sql`answer in ('hide', 'show')`))
    .addColumn('letter_id', 'uuid')
    .addColumn('told_at', 'timestamptz')
    .addColumn('created_at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
    .execute()
  await sql`create index take_outs_of_album on take_outs (album_id, created_at)`.execute(db)

  await db.schema
    .createTable('people_taken_out')
    .addColumn('id', 'uuid', (column) => column.primaryKey())
    .addColumn('album_id', 'uuid', (column) => column.notNull().references('albums.id').onDelete('cascade'))
    .addColumn('person_cipher', 'bytea', (column) => column.notNull())
    .addColumn('created_at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
    .execute()
  await sql`create index people_taken_out_of_album on people_taken_out (album_id)`.execute(db)

  await db.schema
    .createTable('taken_out_faces')
    .addColumn('id', 'bigint', (column) => column.primaryKey().generatedAlwaysAsIdentity())
    .addColumn('album_id', 'uuid', (column) => column.notNull())
    .addColumn('photo_id', 'uuid', (column) => column.notNull().references('photos.id').onDelete('cascade'))
    .addColumn('box_left', 'real', (column) => column.notNull())
    .addColumn('box_top', 'real', (column) => column.notNull())
    .addColumn('box_width', 'real', (column) => column.notNull())
    .addColumn('box_height', 'real', (column) => column.notNull())
    .execute()
  await sql`create index taken_out_faces_of_photo on taken_out_faces (photo_id)`.execute(db)
  await sql`create index taken_out_faces_of_album on taken_out_faces (album_id)`.execute(db)

  // Not validated: that would read every photo, and all rows already passed the narrower check.
  await sql`alter table photos drop constraint photos_state_check`.execute(db)
  await sql`
    alter table photos add constraint photos_state_check
    check (state in ('stored', 'indexed', 'given_up', 'hidden')) not valid`.execute(db)
  await sql`create index photos_hidden on photos (album_id, filename) where state = 'hidden'`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop index photos_hidden`.execute(db)
  await sql`update photos set state = 'indexed' where state = 'hidden'`.execute(db)
  await sql`alter table photos drop constraint photos_state_check`.execute(db)
  await sql`
    alter table photos add constraint photos_state_check
    check (state in ('stored', 'indexed', 'given_up'))`.execute(db)
  for (const table of ['taken_out_faces', 'people_taken_out', 'take_outs'])
    await db.schema.dropTable(table).execute()
}
