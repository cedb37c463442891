import { type Kysely, sql } from 'kysely'

/** Opting out of an album: the faces are hidden at once, and erased later. Nothing was released before, so no rows move. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ['taken_out_faces', 'people_taken_out', 'take_outs'])
    await db.schema.dropTable(table).execute()

  await db.schema
    .createTable('opt_outs')
    .addColumn('id', 'uuid', (column) => column.primaryKey().defaultTo(sql`gen_random_uuid()`))
    .addColumn('album_id', 'uuid', (column) => column.notNull().references('albums.id').onDelete('cascade'))
    .addColumn('state', 'text', (column) =>
      column
        .notNull()
        .check(sql`state in ('waiting', 'hidden', 'permanent', 'undone', 'revoked', 'refused')`),
    )
    .addColumn('faces', 'integer', (column) => column.notNull())
    .addColumn('network_hash', 'bytea')
    .addColumn('permanent_at', 'timestamptz')
    .addColumn('person_cipher', 'bytea')
    .addColumn('photos_to_hide', sql`uuid[]`)
    .addColumn('answer', 'text', (column) => column.check(sql`answer in ('hide', 'show')`))
    .addColumn('letter_id', 'uuid')
    .addColumn('told_at', 'timestamptz')
    .addColumn('created_at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
    .execute()
  await sql`create index opt_outs_of_album on opt_outs (album_id, created_at)`.execute(db)
  await sql`create index opt_outs_to_end on opt_outs (permanent_at) where state = 'hidden'`.execute(db)
  await sql`create index opt_outs_waiting on opt_outs (created_at) where state = 'waiting'`.execute(db)

  await db.schema
    .createTable('opted_out_faces')
    .addColumn('id', 'bigint', (column) => column.primaryKey().generatedAlwaysAsIdentity())
    .addColumn('opt_out_id', 'uuid', (column) =>
      column.notNull().references('opt_outs.id').onDelete('cascade'),
    )
    .addColumn('album_id', 'uuid', (column) => column.notNull())
    .addColumn('photo_id', 'uuid', (column) => column.notNull().references('photos.id').onDelete('cascade'))
    .addColumn('box_left', 'real', (column) => column.notNull())
    .addColumn('box_top', 'real', (column) => column.notNull())
    .addColumn('box_width', 'real', (column) => column.notNull())
    .addColumn('box_height', 'real', (column) => column.notNull())
    .execute()
  await sql`create index opted_out_faces_of_opt_out on opted_out_faces (opt_out_id)`.execute(db)
  await sql`create index opted_out_faces_of_photo on opted_out_faces (photo_id)`.execute(db)
  await sql`create index opted_out_faces_of_album on opted_out_faces (album_id)`.execute(db)

  // It refers to no table: an opt-out goes only with its album, and so do the faces.
  await db.schema.alterTable('faces').addColumn('opt_out_id', 'uuid').execute()
  await sql`create index faces_hidden on faces (opt_out_id) where opt_out_id is not null`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop index faces_hidden`.execute(db)
  await db.schema.alterTable('faces').dropColumn('opt_out_id').execute()
  for (const table of ['opted_out_faces', 'opt_outs']) await db.schema.dropTable(table).execute()

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
}
