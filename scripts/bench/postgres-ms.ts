import { sql } from 'kysely'
import type { Db } from '../../src/database/client.ts'
import { processorMsOf } from '../../src/processes/process-figures.ts'

/** The processor time of all processes that the database server has now, in ms. */
export async function postgresMs(db: Db): Promise<number> {
  const { rows } = await sql<{ pid: number }>`select pid from pg_stat_activity`.execute(db)
  return rows.reduce((sum, { pid }) => sum + processorMsOf(pid), 0)
}
