import { execFile, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chown, mkdtemp, open, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Account, Home } from './home.ts'

const run = promisify(execFile)

/** Our own environment is not passed on: it may hold secrets, and Postgres would obey its PG* and LC_* variables. */
const ENVIRONMENT = { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }

/** How the programs of Postgres are spawned: in `/`, since their account may not be able to reach our folder; in
 *  a session of their own, so that Ctrl-C at the terminal does not end the database while Inframe finishes its
 *  work. */
export function spawnOptions(account: Account) {
  return { ...account, cwd: '/', detached: true, env: ENVIRONMENT }
}

/** The prefix of a command that makes the kernel end it when this process is killed; empty where setpriv of
 *  util-linux is missing. */
export function endWithThisProcess(): string[] {
  const words = ['setpriv', '--pdeathsig', 'INT', '--']
  return spawnSync(words[0]!, [...words.slice(1), 'true'], { env: ENVIRONMENT }).status === 0 ? words : []
}

/** Creates the cluster of a home unless it exists. It gets its name only when it is whole, so that the next start
 *  does not mistake the remains of a killed start for a cluster.
 *  @returns the path of the cluster */
export async function prepareCluster(home: Home, binaries: string, durable: boolean): Promise<string> {
  const cluster = join(home.folder, 'cluster')
  if (existsSync(cluster)) return cluster
  // The programs of a killed start may still be writing while they end: hence the retries.
  for (const name of await readdir(home.folder))
    if (name.startsWith('cluster.new-'))
      await rm(join(home.folder, name), { recursive: true, force: true, maxRetries: 10 })

  const fresh = await mkdtemp(join(home.folder, 'cluster.new-'))
  await chown(fresh, home.account.uid, home.account.gid)
  const [program, ...args] = [
    ...endWithThisProcess(),
    join(binaries, 'initdb'),
    `--pgdata=${fresh}`,
    '--username=inframe',
    '--auth-local=trust',
    '--auth-host=reject',
    '--encoding=UTF8',
    // Text is sorted and compared in the same way on every machine, whatever locales it has.
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--no-instructions',
    ...(durable ? [] : ['--no-sync']),
  ]
  await run(program!, args, spawnOptions(home.account))
  await rename(fresh, cluster)
  const folder = await open(home.folder)
  await folder.sync()
  await folder.close()
  return cluster
}
