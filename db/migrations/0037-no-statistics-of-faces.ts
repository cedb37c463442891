import { type Kysely, sql } from 'kysely'

/** Postgres copies values of a column into its statistics, where they outlive their rows: also descriptors of faces and
 *  mail addresses. No query looks for rows by these columns, so it needs no statistics of them. */
const COLUMNS = [
  { table: 'albums', column: 'email' },
  { table: 'face_descriptors', column: 'descriptor' },
  { table: 'opt_outs', column: 'person_cipher' },
  { table: 'photo_alerts', column: 'sealed' },
]

export async function up(db: Kysely<unknown>): Promise<void> {
  await setStatistics(db, 0)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await setStatistics(db, -1)
}

async function setStatistics(db: Kysely<unknown>, target: 0 | -1): Promise<void> {
  for (const { table, column } of COLUMNS)
    await sql`
      alter table ${sql.table(table)} alter column ${sql.ref(column)} set statistics ${sql.lit(target)}`.execute(
      db,
    )
}
