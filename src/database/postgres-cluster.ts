import { execFile, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chown, mkdtemp, open, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Account, Home } from './embedded-home.ts'

const run = promisify(execFile)

/** Nothing of ours is passed on: the environment may hold secrets, and PG* or LC_* variables would be obeyed. */
const ENVIRONMENT = { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }

/** How the programs of Postgres are spawned. Working in `/`, since the account may not reach our folder; in a
 *  session of their own, so that a Ctrl-C at the terminal does not end the database under a server that is
 *  still draining. */
export function spawnOptions(account: Account) {
  return { ...account, cwd: '/', detached: true, env: ENVIRONMENT }
}

/** The words before a command that let the kernel end it when we are killed; none where util-linux lacks them. */
export function endWithUs(): string[] {
  const words = ['setpriv', '--pdeathsig', 'INT', '--']
  return spawnSync(words[0]!, [...words.slice(1), 'true'], { env: ENVIRONMENT }).status === 0 ? words : []
}

/** Makes the cluster of a home unless it is there. It gets its name when it is whole, so a start that was killed
 *  half-way leaves nothing that the next one would take for a cluster. */
export async function prepareCluster(home: Home, binaries: string, durable: boolean): Promise<string> {
  const cluster = join(home.folder, 'cluster')
  if (existsSync(cluster)) return cluster
  // The programs of a start that was killed may still be ending, and writing: hence the retries.
  for (const name of await readdir(home.folder))
    if (name.startsWith('cluster.new-'))
      await rm(join(home.folder, name), { recursive: true, force: true, maxRetries: 10 })

  const fresh = await mkdtemp(join(home.folder, 'cluster.new-'))
  await chown(fresh, home.account.uid, home.account.gid)
  const [program, ...args] = [
    ...endWithUs(),
    join(binaries, 'initdb'),
    `--pgdata=${fresh}`,
    '--username=inframe',
    '--auth-local=trust',
    '--auth-host=reject',
    '--encoding=UTF8',
    // Sorts and compares alike on every machine, whatever locales it has.
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
