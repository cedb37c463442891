import { existsSync } from 'node:fs'
import { chmod, mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { processesOn } from '../database/embedded/leftovers.ts'

export type DataFolder = Awaited<ReturnType<typeof createDataFolder>>

/** A DATA_DIR for a test. By default only this account can enter it. */
export async function createDataFolder(mode = 0o700) {
  const parent = await mkdtemp(join(tmpdir(), 'inframe-data-'))
  await chmod(parent, mode)
  const path = join(parent, 'data')
  const home = () => realpath(join(path, 'postgres'))
  return {
    path,
    /** The folder of the embedded Postgres, after it has been started here. */
    cluster: async () => join(await home(), 'cluster'),
    /** Removes everything, including a database in another folder.
     *  @throws Error when a server is still running on it */
    async remove(): Promise<void> {
      if (existsSync(join(path, 'postgres'))) {
        const running = await processesOn(join(await home(), 'cluster'))
        if (running.length > 0) throw new Error(`A server is still running on ${path}`)
        await rm(await home(), { recursive: true })
      }
      await rm(parent, { recursive: true })
    },
  }
}
