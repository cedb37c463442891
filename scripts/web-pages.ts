/** Renders pages of the web app to HTML that the server sends, after Vite has built the files for browsers. */
import { randomUUID } from 'node:crypto'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, type Manifest } from 'vite'
import type { PrerenderedPages } from '../src/http/web-build.ts'

/** The pages that are the same for everybody; `404` is the page for unknown addresses. */
const PRERENDERED = ['/', '/privacy-policy', '/terms-of-service', '404']

/** The exports of web/prerender.tsx after it is built. */
interface Prerender {
  drawPage(path: string): Promise<string>
  drawFrame(): Promise<string>
}

/** Renders the pages of PRERENDERED and the frame of all others.
 *  @param folder the folder of the finished build; temporary files beside it are removed. */
export async function prerenderPages(
  folder: string,
  configFile: string,
): Promise<Omit<PrerenderedPages, 'socialPicture'>> {
  const web = join(configFile, '../web')
  const outDir = `${folder}-${randomUUID()}`
  try {
    await build({
      configFile,
      logLevel: 'silent',
      build: {
        ssr: join(web, 'prerender.tsx'),
        outDir,
        manifest: false,
        // What the other pages share needs a browser.
        rolldownOptions: { output: { codeSplitting: true } },
      },
    })
    const { drawFrame, drawPage }: Prerender = await import(pathToFileURL(join(outDir, 'prerender.js')).href)
    const pages: Record<string, string> = {}
    for (const path of PRERENDERED) pages[path] = await drawPage(path.startsWith('/') ? path : `/${path}`)
    return {
      pages,
      frame: await drawFrame(),
      scripts: scriptsByModule(
        JSON.parse(await readFile(join(folder, '.vite/manifest.json'), 'utf8')),
        await readFile(join(folder, 'index.html'), 'utf8'),
      ),
    }
  } finally {
    await rm(outDir, { recursive: true, force: true })
  }
}

/** For each module that is loaded on demand: the files that index.html does not name itself. */
function scriptsByModule(manifest: Manifest, index: string): Record<string, string[]> {
  const filesOf = (key: string, seen = new Set<string>()): Set<string> => {
    const chunk = manifest[key]!
    if (seen.has(chunk.file)) return seen
    seen.add(chunk.file)
    for (const other of chunk.imports ?? []) filesOf(other, seen)
    return seen
  }
  return Object.fromEntries(
    Object.keys(manifest)
      .filter((key) => manifest[key]!.isDynamicEntry)
      .map((key) => [
        key,
        [...filesOf(key)].map((file) => `/${file}`).filter((path) => !index.includes(`"${path}"`)),
      ]),
  )
}
