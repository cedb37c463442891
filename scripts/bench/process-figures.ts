import { readFileSync, writeFileSync } from 'node:fs'
import { sql } from 'kysely'
import type { Db } from '../../src/database/client.ts'
import { processorMsOf } from '../../src/processes/process-figures.ts'

/** The resident memory of a process in MB; see proc_pid_status(5). */
export function memoryOf(pid: number): { now: number; peak: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const megabytes = (field: string) => {
    const kibibytes = new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]
    return Math.round((Number(kibibytes) * 1024) / 1_000_000)
  }
  return { now: megabytes('VmRSS'), peak: megabytes('VmHWM') }
}

/** Resets the peak of a process's memory to its current memory; see proc_pid_clear_refs(5). */
export function forgetPeakOf(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5')
}

/** The processor time of all processes that the database server has now, in ms. */
export async function postgresMs(db: Db): Promise<number> {
  const { rows } = await sql<{ pid: number }>`select pid from pg_stat_activity`.execute(db)
  return rows.reduce((sum, { pid }) => sum + processorMsOf(pid), 0)
}
