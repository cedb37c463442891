import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { APP_SHELL } from '../src/contract/pages.ts'

/** What guests need where there is no network. */
const MODULES = [
  'data-layer.tsx',
  'ui/toast.tsx',
  'features/album/session/not-open.tsx',
  'features/album/session/open-album.tsx',
  'features/album/browse/browse-photos.tsx',
  'features/album/session/log-out.tsx',
  'features/album/session/password-gate.tsx',
  'features/album/session/progress-view.tsx',
  'features/album/search/search-results.tsx',
  'features/album/search/selfie-search.tsx',
  'features/photos/selfie-input/selfie-card.tsx',
  'features/share/qr-code.tsx',
  'features/share/share-card.tsx',
  'pages/album.tsx',
  'pages/selfie.tsx',
  'pages/selfie-results.tsx',
  'pages/selfie-no-results.tsx',
]

/** Writes the service worker, with the addresses of the files that it keeps.
 *  @param folder the folder of the finished build
 *  @param web the folder of the sources
 *  @param scripts the files of each module that is loaded on demand */
export async function writeServiceWorker(
  folder: string,
  web: string,
  scripts: Record<string, string[]>,
): Promise<void> {
  const [code, index] = await Promise.all(
    [join(web, 'service-worker.js'), join(folder, 'index.html')].map((file) => readFile(file, 'utf8')),
  )
  const atOnce = [...index!.matchAll(/"(\/assets\/[^"]+)"/g)].map(([, address]) => address!)
  const files = [...new Set([...atOnce, ...MODULES.flatMap((module) => filesOf(module, scripts))])].sort()
  const version = createHash('sha256').update(index!).update(files.join()).digest('base64url').slice(0, 12)
  const app = { version, shell: APP_SHELL, files }
  await writeFile(join(folder, 'service-worker.js'), `const APP = ${JSON.stringify(app)}\n${code}`)
}

function filesOf(module: string, scripts: Record<string, string[]>): string[] {
  const files = scripts[module]
  if (!files) throw new Error(`The build has no module ${module}`)
  return files
}
