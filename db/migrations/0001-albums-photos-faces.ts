import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('albums')
    .addColumn('id', 'uuid', (column) => column.primaryKey().defaultTo(sql`gen_random_uuid()`))
    .addColumn('owner_key_hash', 'bytea', (column) => column.notNull().unique())
    .addColumn('slug', 'text', (column) => column.notNull().unique())
    .addColumn('display_name', 'text', (column) => column.notNull())
    .addColumn('email', 'text', (column) => column.notNull())
    .addColumn('password_cipher', 'bytea', (column) => column.notNull())
    .addColumn('password_version', 'integer', (column) => column.notNull().defaultTo(1))
    .addColumn('photos_stored', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('photos_settled', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('faces_found', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('completed_at', 'timestamptz')
    .addColumn('created_at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
    .addCheckConstraint('albums_settled_are_stored', sql`photos_settled <= photos_stored`)
    .execute()
  await db.schema.createIndex('albums_newest').on('albums').columns(['created_at desc', 'id']).execute()

  await db.schema
    .createTable('upload_rounds')
    .addColumn('id', 'uuid', (column) => column.primaryKey().defaultTo(sql`gen_random_uuid()`))
    .addColumn('album_id', 'uuid', (column) => column.notNull().references('albums.id').onDelete('cascade'))
    .addColumn('total', 'integer')
    .addColumn('photos_added', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('opened_at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
    .addColumn('last_activity_at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
    .addColumn('closed_at', 'timestamptz')
    .addColumn('completed_at', 'timestamptz')
    .addColumn('letter_sent_at', 'timestamptz')
    .execute()
  // An album has at most one open round. This index also serves progress and the search for quiet rounds.
  await sql`create unique index upload_rounds_open on upload_rounds (album_id) where closed_at is null`.execute(
    db,
  )
  await sql`create index upload_rounds_uncompleted on upload_rounds (album_id) where completed_at is null`.execute(
    db,
  )

  await db.schema
    .createTable('photos')
    .addColumn('id', 'uuid', (column) => column.primaryKey().defaultTo(sql`gen_random_uuid()`))
    .addColumn('album_id', 'uuid', (column) => column.notNull().references('albums.id').onDelete('cascade'))
    .addColumn('sha256', 'bytea', (column) => column.notNull())
    .addColumn('filename', 'text', (column) => column.notNull())
    .addColumn('media_type', 'text', (column) => column.notNull())
    .addColumn('size', 'integer', (column) => column.notNull())
    .addColumn('width', 'integer', (column) => column.notNull())
    .addColumn('height', 'integer', (column) => column.notNull())
    .addColumn('state', 'text', (column) =>
      column.notNull().defaultTo('stored').check(sql`state in ('stored', 'indexed', 'given_up')`),
    )
    .addColumn('given_up_reason', 'text')
    .addColumn('face_count', 'integer')
    .addColumn('created_at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
    .addUniqueConstraint('photos_once_per_album', ['album_id', 'sha256'])
    .execute()
  await db.schema.createIndex('photos_by_state').on('photos').columns(['album_id', 'state']).execute()

  await db.schema
    .createTable('refused_files')
    .addColumn('id', 'uuid', (column) => column.primaryKey().defaultTo(sql`gen_random_uuid()`))
    .addColumn('album_id', 'uuid', (column) => column.notNull().references('albums.id').onDelete('cascade'))
    .addColumn('round_id', 'uuid', (column) =>
      column.notNull().references('upload_rounds.id').onDelete('cascade'),
    )
    .addColumn('filename', 'text', (column) => column.notNull())
    .addColumn('reason', 'text', (column) => column.notNull())
    .addColumn('created_at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
    .addUniqueConstraint('refused_files_once_per_round', ['round_id', 'filename', 'reason'])
    .execute()
  await db.schema.createIndex('refused_files_by_album').on('refused_files').column('album_id').execute()

  await db.schema
    .createTable('faces')
    .addColumn('id', 'uuid', (column) => column.primaryKey())
    .addColumn('album_id', 'uuid', (column) => column.notNull().references('albums.id').onDelete('cascade'))
    .addColumn('photo_id', 'uuid', (column) => column.notNull().references('photos.id').onDelete('cascade'))
    .addColumn('box_left', 'real', (column) => column.notNull())
    .addColumn('box_top', 'real', (column) => column.notNull())
    .addColumn('box_width', 'real', (column) => column.notNull())
    .addColumn('box_height', 'real', (column) => column.notNull())
    .addColumn('confidence', 'real', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('faces_by_album').on('faces').column('album_id').execute()
  await db.schema.createIndex('faces_by_photo').on('faces').column('photo_id').execute()

  // One sequence for all collections, so that a collection that is created again continues above its old revisions.
  await sql`create sequence face_revisions`.execute(db)
  await db.schema
    .createTable('face_collections')
    .addColumn('album_id', 'uuid', (column) =>
      column.primaryKey().references('albums.id').onDelete('cascade'),
    )
    .addColumn('revision', 'bigint', (column) => column.notNull())
    .addColumn('removed_revision', 'bigint', (column) => column.notNull())
    .execute()
  await db.schema
    .createTable('face_descriptors')
    .addColumn('face_id', 'uuid', (column) => column.primaryKey())
    .addColumn('album_id', 'uuid', (column) =>
      column.notNull().references('face_collections.album_id').onDelete('cascade'),
    )
    .addColumn('photo_id', 'uuid', (column) => column.notNull())
    .addColumn('revision', 'bigint', (column) => column.notNull())
    .addColumn('descriptor', 'bytea', (column) => column.notNull())
    .execute()
  await db.schema
    .createIndex('face_descriptors_by_revision')
    .on('face_descriptors')
    .columns(['album_id', 'revision', 'face_id'])
    .execute()
  await db.schema.createIndex('face_descriptors_by_photo').on('face_descriptors').column('photo_id').execute()
}

export async function down(db: Kysely<unknown>): Promise<void> {
  for (const table of [
    'face_descriptors',
    'face_collections',
    'faces',
    'refused_files',
    'photos',
    'upload_rounds',
    'albums',
  ])
    await db.schema.dropTable(table).execute()
  await sql`drop sequence face_revisions`.execute(db)
}
