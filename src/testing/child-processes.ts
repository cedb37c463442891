import { readdirSync, readFileSync } from 'node:fs'

/** The ids of the running child processes whose command line contains this text.
 *  @param parent a process id; this process by default */
export function childrenWith(text: string, parent = process.pid): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => parentOf(pid) === parent && read(pid, 'cmdline').includes(text))
}

/** Whether a process runs. One that has ended and that its parent has not noticed yet does not. */
export function isRunning(pid: number): boolean {
  const state = read(pid, 'status').match(/^State:\s+(\w)/m)?.[1]
  return state !== undefined && state !== 'Z' && state !== 'X'
}

/** Kills processes. Some may have ended meanwhile, as those of Postgres do when the first of them is killed. */
export function killAll(pids: number[]): void {
  for (const pid of pids)
    try {
      process.kill(pid, 'SIGKILL')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
}

/** How far each thread of a process gives way to others; see nice(2). */
export function nicenessOf(pid: number): number[] {
  return readdirSync(`/proc/${pid}/task`).map((thread) => {
    // The fields after the command, whose name may contain anything; see proc_pid_stat(5).
    const fields = read(pid, `task/${thread}/stat`).replace(/^.*\) /s, '')
    return Number(fields.split(' ')[16])
  })
}

function parentOf(pid: number): number {
  return isRunning(pid) ? Number(read(pid, 'status').match(/^PPid:\s+(\d+)/m)?.[1]) : Number.NaN
}

function read(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8')
  } catch {
    return ''
  }
}
