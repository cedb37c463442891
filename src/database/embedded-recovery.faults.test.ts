import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import pg from 'pg'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { createLog } from '../log.ts'
import { killAll } from '../testing/child-processes.ts'
import { createDataFolder, type DataFolder } from '../testing/data-folder.ts'
import { spawnEmbeddedPostgres } from '../testing/embedded-process.ts'
import { findPostgresBinaries } from './embedded/binaries.ts'
import { spawnOptions } from './embedded/cluster.ts'
import { findEmbeddedPostgres, startEmbeddedPostgres } from './embedded/embedded-postgres.ts'
import { processesOn } from './embedded/leftovers.ts'

let folder: DataFolder
beforeEach(async () => {
  folder = await createDataFolder()
})
afterEach(() => folder.remove())

async function query(statement: string): Promise<unknown[]> {
  const client = new pg.Client(await findEmbeddedPostgres(folder.path))
  await client.connect()
  const { rows } = await client.query(statement)
  await client.end()
  return rows
}

/** Starts the database in another process and commits something to it. */
async function runElsewhere() {
  const owner = spawnEmbeddedPostgres(folder.path)
  expect(await owner.said).toBe('started')
  await query('create table kept as select 7 as n')
  return owner
}

async function expectStartWithEverythingKept(): Promise<void> {
  const postgres = await startEmbeddedPostgres({ dataDir: folder.path, log: createLog('silent') })
  expect(await query('select n from kept')).toEqual([{ n: 7 }])
  await postgres.stop()
}

/** Runs as the database's own account, since Postgres only looks at processes of that account. */
async function asServer(program: string, args: string[]) {
  const { uid, gid } = await stat(await folder.cluster())
  const child = spawn(program, args, { ...spawnOptions({ uid, gid }), stdio: 'ignore' })
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  return child
}

test('the data survives when the process is killed', async () => {
  const owner = await runElsewhere()
  await owner.kill()
  await expectStartWithEverythingKept()
})

test('the data survives when the process and every database process are killed at once', async () => {
  const owner = await runElsewhere()
  const servers = await processesOn(await folder.cluster())
  expect(servers.length).toBeGreaterThan(1)
  await owner.kill()
  killAll(servers)
  await expectStartWithEverythingKept()
})

test('child processes that survive their server do not prevent a new start', async () => {
  const owner = await runElsewhere()
  const [server, ...children] = await processesOn(await folder.cluster())
  process.kill(children[0]!, 'SIGSTOP')
  process.kill(server!, 'SIGKILL')
  await owner.kill()
  expect(await processesOn(await folder.cluster())).toContain(children[0])
  await expectStartWithEverythingKept()
})

test('a server that an earlier run left behind is stopped and replaced', async () => {
  await (await runElsewhere()).kill()
  await expectStartWithEverythingKept()
  const cluster = await folder.cluster()
  const orphan = await asServer(join(await findPostgresBinaries(), 'postgres'), [
    ...['-D', cluster, '-c', 'listen_addresses='],
    ...['-c', `unix_socket_directories=${join(dirname(cluster), 'socket')}`],
  ])
  await vi.waitFor(() => query('select'), { timeout: 100_000 })
  await expectStartWithEverythingKept()
  expect(orphan.exitCode).toBe(0)
})

test('a recorded process number that now belongs to another program is ignored, and that program keeps running', async () => {
  await (await runElsewhere()).kill()
  await expectStartWithEverythingKept()
  const bystander = await asServer('sleep', ['60'])
  const cluster = await folder.cluster()
  const socket = join(dirname(cluster), 'socket')
  const lines = [bystander.pid, cluster, 1, 5432, socket, '', '']
  await writeFile(join(cluster, 'postmaster.pid'), lines.join('\n'))
  await writeFile(join(socket, '.s.PGSQL.5432.lock'), lines.join('\n'))
  await expectStartWithEverythingKept()
  expect(await readFile(`/proc/${bystander.pid}/comm`, 'utf8')).toBe('sleep\n')
})

test('a first start that was killed halfway is repeated from the beginning', async () => {
  const owner = spawnEmbeddedPostgres(folder.path)
  const unfinished = await vi.waitFor(
    async () => {
      const home = dirname(await folder.cluster())
      const name = (await readdir(home)).find((name) => name.startsWith('cluster.new-'))
      expect(existsSync(join(home, name!, 'PG_VERSION'))).toBe(true)
      return join(home, name!)
    },
    { interval: 5, timeout: 100_000 },
  )
  await owner.kill()
  await mkdir(unfinished, { recursive: true })
  const postgres = await startEmbeddedPostgres({ dataDir: folder.path, log: createLog('silent') })
  expect(await query('select 1 as one')).toEqual([{ one: 1 }])
  expect(existsSync(unfinished)).toBe(false)
  await postgres.stop()
})
