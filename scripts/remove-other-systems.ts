/** Runs after `npm ci`. onnxruntime-node brings its libraries for all systems, 290 MB. Only those of this one, 26 to
 *  46 MB, are kept. Of onnxruntime-web, 140 MB for browsers of all kinds, only what runs a network without a graphics
 *  card is kept: 14 MB. */
import { readdir, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const { resolve } = createRequire(import.meta.url)
const libraries = join(dirname(resolve('onnxruntime-node/package.json')), 'bin')

for (const version of await readdir(libraries)) {
  await keepOnly([process.platform], join(libraries, version))
  await keepOnly([process.arch], join(libraries, version, process.platform)).catch(ignoreMissing)
}
await keepOnly(
  ['ort.wasm.bundle.min.mjs', 'ort-wasm-simd-threaded.mjs', 'ort-wasm-simd-threaded.wasm'],
  dirname(resolve('onnxruntime-web/ort-wasm-simd-threaded.wasm')),
)

async function keepOnly(names: string[], folder: string): Promise<void> {
  const others = (await readdir(folder)).filter((entry) => !names.includes(entry))
  await Promise.all(others.map((entry) => rm(join(folder, entry), { recursive: true })))
}

/** There is no library for this system, so WebAssembly is used. */
function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error
}
