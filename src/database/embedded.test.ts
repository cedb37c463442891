import { spawnSync } from 'node:child_process'
import { chmod, chown, lstat, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { createLog } from '../log.ts'
import { killAll } from '../testing/child-processes.ts'
import { createDataFolder, type DataFolder } from '../testing/data-folder.ts'
import { spawnEmbeddedPostgres } from '../testing/embedded-process.ts'
import { createDb } from './client.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded/embedded-postgres.ts'
import { socketFolderOf } from './embedded/home.ts'
import { processesOn } from './embedded/leftovers.ts'

const log = createLog('silent')
const asRoot = process.getuid!() === 0
/** An account without any rights, for tests that only root can run. */
const NOBODY = { uid: 65534, gid: 65534 }

let folder: DataFolder
const running: EmbeddedPostgres[] = []
const stopAll = () => Promise.all(running.splice(0).map((postgres) => postgres.stop()))

async function start(dataDir = folder.path, durable = false): Promise<EmbeddedPostgres> {
  const postgres = await startEmbeddedPostgres({ dataDir, log, durable })
  running.push(postgres)
  return postgres
}

/** Runs one statement on a separate connection and returns its rows. */
async function query<T>(postgres: EmbeddedPostgres, statement: string): Promise<T[]> {
  const db = createDb(postgres.address, () => {}, 1)
  const { rows } = await sql.raw<T>(statement).execute(db)
  await db.destroy()
  return rows
}

// One cluster serves all of these: creating it takes four times as long as starting it.
describe('started again and again on one data folder', () => {
  beforeAll(async () => {
    folder = await createDataFolder()
  })
  afterEach(stopAll)
  afterAll(() => folder.remove())

  test('writes every commit to the disk unless it need not be durable', async () => {
    const settings = `select name, setting from pg_settings
      where name in ('fsync', 'full_page_writes', 'synchronous_commit') order by name`
    const durable = await start(folder.path, true)
    const values = async (postgres: EmbeddedPostgres) =>
      (await query<{ setting: string }>(postgres, settings)).map((row) => row.setting)
    expect(await values(durable)).toEqual(['on', 'on', 'on'])
    await durable.stop()
    expect(await values(await start())).toEqual(['off', 'off', 'off'])
  })

  test('depends on no locale of the machine', async () => {
    const [database] = await query(
      await start(),
      `select pg_encoding_to_char(encoding) as encoding, datlocprovider as provider, datlocale as locale
         from pg_database where datname = current_database()`,
    )
    expect(database).toEqual({ encoding: 'UTF8', provider: 'b', locale: 'C.UTF-8' })
  })

  test('listens on a socket that only its own account can reach, and on no network', async () => {
    const postgres = await start()
    expect(await query(postgres, 'show listen_addresses')).toEqual([{ listen_addresses: '' }])
    const socketFolder = await stat(postgres.address.host!)
    expect(socketFolder.mode & 0o777).toBe(0o700)
    expect(socketFolder.uid).toBe((await stat(await folder.cluster())).uid)
  })

  test('is not ended by Ctrl-C at the terminal', async () => {
    await start()
    const [server] = (await readFile(join(await folder.cluster(), 'postmaster.pid'), 'utf8')).split('\n')
    // Field 5 of proc(5)'s stat file is the process group, to which the terminal sends the signal.
    const group = (await readFile(`/proc/${server}/stat`, 'utf8')).split(' ')[4]
    expect(group).toBe(server)
  })
})

describe('on a data folder of its own', () => {
  beforeEach(async () => {
    folder = await createDataFolder()
  })
  afterEach(async () => {
    await stopAll()
    await folder.remove()
  })

  test('lets exactly one of several simultaneous starts succeed', async () => {
    const starts = [1, 2, 3].map(() => spawnEmbeddedPostgres(folder.path))
    const said = await Promise.all(starts.map((process) => process.said))
    const refusal = `Another Inframe is already running on ${folder.path}. Stop it, or set another DATA_DIR.`
    expect(said.toSorted()).toEqual([refusal, refusal, 'started'])
    await Promise.all(starts.map((process) => process.kill()))
    await (await start()).stop()
  })

  test('is restarted when the server dies, and the same pool works again', async () => {
    const postgres = await start(folder.path, true)
    const db = createDb(postgres.address, () => {})
    await sql`create table kept (n int)`.execute(db)
    const interrupted = db.transaction().execute(async (trx) => {
      await sql`insert into kept values (1)`.execute(trx)
      killAll(await processesOn(await folder.cluster()))
      await sql`insert into kept values (2)`.execute(trx)
    })
    await expect(interrupted).rejects.toThrow()
    const rows = await vi.waitFor(() => sql`select * from kept`.execute(db), {
      timeout: 100_000,
      interval: 100,
    })
    expect(rows.rows).toEqual([])
    await db.destroy()
  })

  test('repeats what Postgres reported when it does not start', async () => {
    await (await start()).stop()
    await writeFile(join(await folder.cluster(), 'postgresql.auto.conf'), 'nonsense = 1\n')
    await expect(start()).rejects.toThrow(/does not start.*\n.*"nonsense"/)
  })

  describe('its data folder', () => {
    test('keeps its data when the data folder is moved', async () => {
      const first = await start()
      await query(first, 'create table kept ()')
      await first.stop()
      const moved = join(dirname(folder.path), 'moved')
      await rename(folder.path, moved)
      const second = await start(moved)
      expect(await query(second, `select to_regclass('kept')::text as kept`)).toEqual([{ kept: 'kept' }])
      await second.stop()
      await rename(moved, folder.path)
    })

    test.runIf(asRoot)(
      'refuses to start with an empty database when the one of a private data folder is missing',
      async () => {
        await (await start()).stop()
        const home = dirname(await folder.cluster())
        await rename(home, `${home}-away`)
        await expect(start()).rejects.toThrow(`${folder.path}/postgres points to ${home}`)
        await rename(`${home}-away`, home)
      },
    )

    test.runIf(asRoot && isReachable(process.execPath) && isReachable(import.meta.filename))(
      'keeps the database inside the data folder when a user who is not root starts it',
      async () => {
        const open = await createDataFolder(0o755)
        const refused = spawnEmbeddedPostgres(open.path, NOBODY)
        expect(await refused.said).toMatch(/^EACCES/)
        await mkdir(open.path)
        await chown(open.path, NOBODY.uid, NOBODY.gid)
        const theirs = spawnEmbeddedPostgres(open.path, NOBODY)
        expect(await theirs.said).toBe('started')
        expect(await open.cluster()).toBe(`${open.path}/postgres/cluster`)
        expect(await stat(await open.cluster())).toMatchObject(NOBODY)
        await theirs.kill()
        // Root continues with the account that owns the database.
        await (await start(open.path)).stop()
        expect(await stat(join(await open.cluster(), 'global/pg_control'))).toMatchObject(NOBODY)
        await open.remove()
      },
    )
  })

  describe('a data folder whose path is too long for a socket', () => {
    let deep: DataFolder
    let path: string
    beforeEach(async () => {
      deep = await createDataFolder(0o755)
      path = join(deep.path, 'x'.repeat(100))
      await mkdir(path, { recursive: true })
    })
    afterEach(async () => {
      await rm(socketFolderOf(join(path, 'postgres')), { recursive: true, force: true })
      await deep.remove()
    })

    test('has its socket in a separate private folder', async () => {
      const postgres = await start(path)
      expect(await query(postgres, 'select 1 as one')).toEqual([{ one: 1 }])
      expect(postgres.address.host).toMatch(/^\/tmp\/inframe-/)
      expect((await lstat(postgres.address.host!)).mode & 0o777).toBe(0o700)
      await postgres.stop()
    })

    test.runIf(asRoot)('refuses that folder when it belongs to another account', async () => {
      const taken = socketFolderOf(join(path, 'postgres'))
      await mkdir(taken)
      await chmod(taken, 0o777)
      await chown(taken, NOBODY.uid, NOBODY.gid)
      await expect(start(path)).rejects.toThrow(`${taken}, belongs to another account`)
    })
  })
})

function isReachable(path: string): boolean {
  return spawnSync('/bin/sh', ['-c', 'test -r "$0"', path], { ...NOBODY, cwd: '/' }).status === 0
}
