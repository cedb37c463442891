import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Manifest } from 'vite'
import { APP_SHELL } from '../src/contract/pages.ts'

/** What guests need where there is no network, with all that these files import, at once or later. */
const GUESTS = [
  'data-layer.tsx',
  'pages/album.tsx',
  'pages/selfie.tsx',
  'pages/selfie-results.tsx',
  'pages/selfie-no-results.tsx',
]

/** Writes the service worker, with the addresses of the files that it keeps.
 *  @param folder the folder of the finished build
 *  @param web the folder of the sources */
export async function writeServiceWorker(folder: string, web: string): Promise<void> {
  const [code, index, manifest] = await Promise.all(
    [join(web, 'service-worker.js'), join(folder, 'index.html'), join(folder, '.vite/manifest.json')].map(
      (file) => readFile(file, 'utf8'),
    ),
  )
  const atOnce = [...index!.matchAll(/"(\/assets\/[^"]+)"/g)].map(([, address]) => address!)
  const files = [...new Set([...atOnce, ...filesOfGuests(JSON.parse(manifest!), atOnce)])].sort()
  const version = createHash('sha256').update(index!).update(files.join()).digest('base64url').slice(0, 12)
  const app = { version, shell: APP_SHELL, files }
  await writeFile(join(folder, 'service-worker.js'), `const APP = ${JSON.stringify(app)}\n${code}`)
}

/** @param atOnce the files of the entry, which imports all pages */
function filesOfGuests(manifest: Manifest, atOnce: readonly string[]): string[] {
  const found = new Map<string, string>()
  function add(key: string): void {
    const { file, imports = [], dynamicImports = [] } = manifest[key]!
    if (found.has(key) || atOnce.includes(`/${file}`)) return
    found.set(key, `/${file}`)
    for (const other of [...imports, ...dynamicImports]) add(other)
  }
  for (const key of GUESTS) add(key)
  return [...found.values()]
}
