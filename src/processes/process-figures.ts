import { readFileSync } from 'node:fs'

/** The unit in which Linux counts processor time, on every machine (sysconf(3), USER_HZ). */
const TICKS_PER_SECOND = 100

// Inframe runs on Linux only. The kernel answers at once, so reading /proc does not wait for libuv's threads.

/** The processor time that a process has used in all its threads, in ms; 0 when it has ended. Unlike elapsed time, it
 *  does not depend on other programs. */
export function processorMsOf(pid: number): number {
  // The fields after the command, whose name may contain anything; see proc_pid_stat(5).
  const fields = read(pid, 'stat')
    .replace(/^.*\) /s, '')
    .split(' ')
  return ((Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * 1000) / TICKS_PER_SECOND
}

/** The memory of a process in bytes (its resident set); 0 when it has ended. */
export function residentBytesOf(pid: number): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(read(pid, 'status')) ?? []
  return Number(kilobytes ?? 0) * 1024
}

function read(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1')
  } catch {
    return ''
  }
}
