/** Builds the web app into web/dist. With `--if-needed` only when its sources changed since the last build. */
import { createHash, randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify, stripVTControlCharacters } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import { PRERENDERED_PAGES, type PrerenderedPages } from '../src/http/web-build.ts'

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..')
const DIST = join(ROOT, 'web/dist')
/** The file in web/dist with the hash of the sources that it was built from. */
const STAMP = '.build-hash'
const SOURCES = [
  'web',
  'src/contract',
  'src/texts',
  'scripts/build-web.ts',
  'scripts/web-images.ts',
  'scripts/web-pages.ts',
  'scripts/web-service-worker.ts',
  'vite.config.ts',
  'package-lock.json',
]
/** Without .html: index.html is filled in and compressed for each request. */
const COMPRESSIBLE = /\.(js|css|svg|webmanifest)$/

async function main(): Promise<void> {
  const hash = await hashSources()
  if (process.argv.includes('--if-needed') && (await lastBuild()) === hash) return

  const start = performance.now()
  // Beside web/dist, so that it becomes web/dist by one rename. The name is unique, so that two simultaneous builds
  // do not disturb each other.
  const folder = join(ROOT, `web/dist-${randomUUID()}`)
  await mkdir(folder)
  try {
    // Otherwise a test run, which sets another value, would build the development version of React.
    process.env.NODE_ENV = 'production'
    // Loaded only when a build is needed.
    const { build } = await import('vite')
    const { prerenderPages } = await import('./web-pages.ts')
    const { writeImages } = await import('./web-images.ts')
    const { writeServiceWorker } = await import('./web-service-worker.ts')
    const configFile = join(ROOT, 'vite.config.ts')
    await build({ configFile, logLevel: 'silent', build: { outDir: folder, emptyOutDir: true } })
    const prerendered: PrerenderedPages = {
      ...(await prerenderPages(folder, configFile)),
      socialPicture: await writeImages(folder, join(ROOT, 'web')),
    }
    await writeServiceWorker(folder, join(ROOT, 'web'), prerendered.scripts)
    await writeFile(join(folder, PRERENDERED_PAGES), JSON.stringify(prerendered))
    await compressAll(folder)
    await writeFile(join(folder, STAMP), hash)
    await putInPlace(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  console.log(`Built the web app in ${((performance.now() - start) / 1000).toFixed(1)} s`)
}

async function lastBuild(): Promise<string | null> {
  return readFile(join(DIST, STAMP), 'utf8').catch(() => null)
}

async function hashSources(): Promise<string> {
  const hash = createHash('sha256')
  for (const source of SOURCES) {
    for (const file of await filesUnder(source)) {
      hash.update(`${file}\0`)
      hash.update(await readFile(join(ROOT, file)))
    }
  }
  return hash.digest('hex')
}

/** The files in a folder, or the file itself, without builds and tests, which are not part of a build. */
async function filesUnder(path: string): Promise<string[]> {
  const entries = await readdir(join(ROOT, path), { withFileTypes: true, recursive: true }).catch(() => null)
  if (entries === null) return [path]
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length + 1))
    .filter((file) => !/^web\/dist\b/.test(file) && !/\.test\.tsx?$/.test(file))
    .sort()
}

/** Writes compressed copies (.br and .gz) of each text file, so that the server need not compress them. */
async function compressAll(folder: string): Promise<void> {
  const names = await readdir(folder, { recursive: true })
  await Promise.all(
    names
      .filter((name) => COMPRESSIBLE.test(name))
      .map(async (name) => {
        const file = join(folder, name)
        const content = await readFile(file)
        await writeFile(`${file}.br`, await promisify(brotliCompress)(content))
        // Measured: with this memLevel the gzip files are smallest.
        await writeFile(`${file}.gz`, await promisify(gzip)(content, { level: 9, memLevel: 7 }))
      }),
  )
}

/** Makes this folder the new web/dist. A folder cannot be renamed to the name of another one, so the old build is
 *  moved away first. Another build may take the place in between; then that one is moved away, too. */
async function putInPlace(folder: string): Promise<void> {
  const old = `${folder}.old`
  try {
    for (let attempt = 1; ; attempt++) {
      await rename(DIST, old).catch(unless('ENOENT'))
      try {
        await rename(folder, DIST)
        return
      } catch (error) {
        if (attempt === 5) throw error
        await unless('ENOTEMPTY', 'EEXIST')(error)
        await rm(old, { recursive: true, force: true })
      }
    }
  } finally {
    await rm(old, { recursive: true, force: true })
  }
}

function unless(...codes: string[]): (error: unknown) => void {
  return (error) => {
    if (!codes.includes((error as NodeJS.ErrnoException).code ?? '')) throw error
  }
}

/** The first error in one line, with its place in the source when the bundler shows one. */
function faultOf(error: unknown): string {
  const [first = error] = (error as { errors?: unknown[] }).errors ?? []
  const text = stripVTControlCharacters(first instanceof Error ? first.message : String(first)).trim()
  const place = /\[ (\S+:\d+:\d+) \]/.exec(text)?.[1]
  const line = text.split('\n')[0]
  return place ? `${line} (${place})` : `${line}`
}

main().catch((error: unknown) => {
  console.error(`The web app could not be built: ${faultOf(error)}`)
  process.exitCode = 1
})
