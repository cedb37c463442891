/** Runs after `npm ci`. onnxruntime-node brings its libraries for all systems, 290 MB. Only those of this one, 26 to
 *  46 MB, are kept. */
import { readdir, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const libraries = join(
  dirname(createRequire(import.meta.url).resolve('onnxruntime-node/package.json')),
  'bin',
)

for (const version of await readdir(libraries)) {
  await keepOnly(process.platform, join(libraries, version))
  await keepOnly(process.arch, join(libraries, version, process.platform)).catch(ignoreMissing)
}

async function keepOnly(name: string, folder: string): Promise<void> {
  const others = (await readdir(folder)).filter((entry) => entry !== name)
  await Promise.all(others.map((entry) => rm(join(folder, entry), { recursive: true })))
}

/** There is no library for this system, so WebAssembly is used. */
function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error
}
