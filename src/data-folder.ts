import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { ConfigError } from './config.ts'

/** Creates the data folder and the folders above it.
 *  @throws ConfigError with one line that names DATA_DIR */
export async function makeDataFolder(dataDir: string): Promise<void> {
  try {
    await makeFolder(dataDir)
  } catch (error) {
    throw new ConfigError(`DATA_DIR: ${dataDir} cannot be created (${(error as Error).message}).`, {
      cause: error,
    })
  }
}

/** Node's own `recursive` tries for ever where a folder exists and takes no other, as in `/proc/x`. */
async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' && dirname(path) !== path) {
      await makeFolder(dirname(path))
      await mkdir(path).catch(orIsThere(path))
    } else await orIsThere(path)(error)
  }
}

const orIsThere = (path: string) => async (error: unknown) => {
  const found = await stat(path).catch(() => undefined)
  if (!found?.isDirectory()) throw error
}
