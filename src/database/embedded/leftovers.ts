import { readdir, readFile, readlink, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { Log } from '../../log.ts'
import type { DatabaseAddress } from '../client.ts'

/** The signals that end the server of an earlier run, and how many ms each one gets. When a server's child
 *  processes have outlived it, only SIGKILL ends them, and the next start recovers as after a crash. */
const WAYS_TO_END = [
  ['SIGINT', 15_000],
  ['SIGKILL', 5_000],
] as const

/** Ends the processes that an earlier run left on a cluster, and removes the files that would keep a new server
 *  from starting. Call it only while holding the claim: then no server on the cluster belongs to a running Inframe.
 *  @throws Error when a process does not end */
export async function clearLeftovers(cluster: string, address: DatabaseAddress, log: Log): Promise<void> {
  const pidFile = join(cluster, 'postmaster.pid')
  const server = Number.parseInt(await readFile(pidFile, 'utf8').catch(() => ''), 10)
  let running = await processesOn(cluster)
  if (running.length > 0) log.warn('Ending the database server that an earlier run left behind')

  for (const [signal, ms] of WAYS_TO_END) {
    const targets = signal === 'SIGKILL' ? running : running.filter((pid) => pid === server)
    for (const pid of targets) sendSignal(pid, signal)
    const deadline = Date.now() + ms
    while (targets.length > 0 && running.length > 0 && Date.now() < deadline) {
      await setTimeout(20)
      running = await processesOn(cluster)
    }
  }
  if (running.length > 0)
    throw new Error(
      `A database server on ${cluster} does not end. End process ${running[0]}, then start Inframe again.`,
    )

  // Both files contain a process number; Postgres takes any live process with that number for a server.
  await rm(pidFile, { force: true })
  await rm(join(address.host!, `.s.PGSQL.${address.port}.lock`), { force: true })
}

/** The process numbers of a cluster's server and its children, which all work in the cluster's folder. Processes
 *  that cannot be read are left out: they have ended or belong to another account. */
export async function processesOn(cluster: string): Promise<number[]> {
  const found: number[] = []
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const [folder, program] = await Promise.all(
      ['cwd', 'exe'].map((link) => readlink(`/proc/${pid}/${link}`).catch(() => '')),
    )
    if (folder === cluster && basename(program!).startsWith('postgres')) found.push(Number(pid))
  }
  return found
}

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
