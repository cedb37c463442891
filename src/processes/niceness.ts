import { spawn } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { getPriority, setPriority } from 'node:os'

// How far a process gives way to others that want the same core: from 0, the default, to 19; see nice(2).

/** Makes a process that has just been started give way. It never gets more of a core than this one. On Linux a thread has
 *  the niceness of the thread that started it, and on a busy machine some may already run.
 *  @param set another function than the system's, for tests */
export function giveWay(pid: number | undefined, niceness: number, set = setPriority): void {
  if (pid === undefined || niceness <= getPriority()) return
  try {
    set(pid, niceness)
    for (const thread of readdirSync(`/proc/${pid}/task`)) set(Number(thread), niceness)
  } catch {
    // It has already ended, or this system does not allow it, or has no /proc.
  }
}

/** Whether the processes that this one starts can give way to it. Tries it with a process that does nothing. Some
 *  sandboxes do not allow it, and it is impossible when this process already has that niceness. */
export function canGiveWay(niceness: number, set = setPriority): boolean {
  const child = spawn(process.execPath, ['--version'], { stdio: 'ignore' })
  // It could not be started.
  child.on('error', () => undefined)
  try {
    giveWay(child.pid, niceness, set)
    return child.pid !== undefined && getPriority() < niceness && getPriority(child.pid) === niceness
  } catch {
    return false
  } finally {
    child.kill('SIGKILL')
  }
}
