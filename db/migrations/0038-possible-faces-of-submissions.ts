import type { Kysely } from 'kysely'

/** The faces that a visitor is asked about on a results page. They go with the submission, and with the face. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('submission_possible_faces')
    .addColumn('submission_id', 'uuid', (column) =>
      column.notNull().references('submissions.id').onDelete('cascade'),
    )
    .addColumn('face_id', 'uuid', (column) => column.notNull().references('faces.id').onDelete('cascade'))
    .addColumn('similarity', 'real', (column) => column.notNull())
    .addPrimaryKeyConstraint('submission_possible_faces_pkey', ['submission_id', 'face_id'])
    .execute()
  await db.schema
    .createIndex('submission_possible_faces_by_face')
    .on('submission_possible_faces')
    .column('face_id')
    .execute()
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropTable('submission_possible_faces').execute()
}
