import { readFileSync, writeFileSync } from 'node:fs'

/** What Linux counts processor time in, whatever its own clock (sysconf(3), USER_HZ). */
const TICKS_PER_SECOND = 100

/** The processor time a process has taken so far, in ms. Unlike a clock's, it says the same while other programs
 *  take their share of the cores. */
export function processorMsOf(pid: number): number {
  // The fields behind the command, which may hold anything; see proc_pid_stat(5).
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS_PER_SECOND
}

/** Resident memory in MB; see proc_pid_status(5). */
export function memoryOf(pid: number): { now: number; peak: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const megabytes = (field: string) => {
    const kibibytes = new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]
    return Math.round((Number(kibibytes) * 1024) / 1_000_000)
  }
  return { now: megabytes('VmRSS'), peak: megabytes('VmHWM') }
}

/** Lets the peak of the memory count from now on; see proc_pid_clear_refs(5). */
export function forgetPeakOf(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5')
}
