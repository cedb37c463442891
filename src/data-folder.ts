import { mkdir, stat } from 'node:fs/promises'
import { dirname, relative } from 'node:path'
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

/** What to say instead of an error when another account owns a part of the data folder: whose it must be.
 *  @returns the error itself for any other fault */
export async function namingOwner(dataDir: string, error: unknown): Promise<unknown> {
  const { code, path, cause } = (error ?? {}) as NodeJS.ErrnoException
  if (cause) {
    const named = await namingOwner(dataDir, cause)
    return named === cause ? error : named
  }
  if (!path || !['EACCES', 'EPERM'].includes(code!)) return error
  const [own, found] = [process.getuid!(), await nearest(path)]
  if (relative(dataDir, found.path).startsWith('..')) return error
  const why =
    found.uid === own
      ? `does not allow its own account (user id ${own}) to use it. Change its mode: chmod u+rwX ${found.path}`
      : `belongs to another account (user id ${found.uid}), but Inframe runs as user id ${own}. Start Inframe as that account, or give it the folder: chown -R ${own} ${dataDir}`
  return new ConfigError(`DATA_DIR: ${found.path} ${why}`, { cause: error })
}

/** The path, or the folder above it that can be looked at. */
async function nearest(path: string): Promise<{ path: string; uid: number }> {
  const found = await stat(path).catch(() => undefined)
  return found ? { path, uid: found.uid } : await nearest(dirname(path))
}
