import { existsSync } from 'node:fs'
import { chmod, mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { processesOn } from '../database/postgres-leftovers.ts'

export interface DataFolder {
  path: string
  /** Where the embedded Postgres keeps its files, once it has been started here. */
  cluster(): Promise<string>
  /** Removes everything, the database too when it lives elsewhere. Throws while a server still runs on it. */
  remove(): Promise<void>
}

/** A DATA_DIR for a test, in a place that only this account can enter unless `mode` says otherwise. */
export async function createDataFolder(mode = 0o700): Promise<DataFolder> {
  const parent = await mkdtemp(join(tmpdir(), 'inframe-data-'))
  await chmod(parent, mode)
  const path = join(parent, 'data')
  const home = () => realpath(join(path, 'postgres'))
  return {
    path,
    cluster: async () => join(await home(), 'cluster'),
    async remove() {
      if (existsSync(join(path, 'postgres'))) {
        const running = await processesOn(join(await home(), 'cluster'))
        if (running.length > 0) throw new Error(`the test left a server on ${path}`)
        await rm(await home(), { recursive: true })
      }
      await rm(parent, { recursive: true })
    },
  }
}
