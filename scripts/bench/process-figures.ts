import { readFileSync, writeFileSync } from 'node:fs'

/** The unit in which Linux counts processor time, on every machine (sysconf(3), USER_HZ). */
const TICKS_PER_SECOND = 100

/** The processor time that a process has used, in ms. Unlike elapsed time, it does not depend on other programs. */
export function processorMsOf(pid: number): number {
  // The fields after the command, whose name may contain anything; see proc_pid_stat(5).
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS_PER_SECOND
}

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
