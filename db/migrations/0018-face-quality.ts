import type { Kysely } from 'kysely'

/** Faces that were found before this have no quality. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('faces')
    .addColumn('sharpness', 'real')
    .addColumn('brightness', 'real')
    .addColumn('yaw', 'real')
    .addColumn('pitch', 'real')
    .addColumn('roll', 'real')
    .execute()
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('faces')
    .dropColumn('sharpness')
    .dropColumn('brightness')
    .dropColumn('yaw')
    .dropColumn('pitch')
    .dropColumn('roll')
    .execute()
}
