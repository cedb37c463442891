/** Builds the web app into web/dist. `--if-needed`: only when its sources changed since the last build. */
import { createHash, randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify, stripVTControlCharacters } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import { DRAWN_PAGES, type DrawnPages } from '../src/http/web-build.ts'

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..')
const DIST = join(ROOT, 'web/dist')
/** Says which sources the build in web/dist was made of. */
const STAMP = '.build-hash'
const SOURCES = [
  'web',
  'src/contract',
  'scripts/build-web.ts',
  'scripts/web-images.ts',
  'scripts/web-pages.ts',
  'vite.config.ts',
  'package-lock.json',
]
/** index.html is filled for each request and compressed then. */
const COMPRESSIBLE = /\.(js|css|svg|webmanifest)$/

async function main(): Promise<void> {
  const hash = await hashSources()
  if (process.argv.includes('--if-needed') && (await lastBuild()) === hash) return

  const start = performance.now()
  // Beside web/dist, so that moving it there is one rename; with a name of its own, so that two builds at
  // once do not meet.
  const folder = join(ROOT, `web/dist-${randomUUID()}`)
  await mkdir(folder)
  try {
    // A caller's own, such as a test run's, would make it a development build: larger, with this machine's paths.
    process.env.NODE_ENV = 'production'
    // Loaded only when there is something to build.
    const { build } = await import('vite')
    const { drawPages } = await import('./web-pages.ts')
    const { writeImages } = await import('./web-images.ts')
    const configFile = join(ROOT, 'vite.config.ts')
    await build({ configFile, logLevel: 'silent', build: { outDir: folder, emptyOutDir: true } })
    const drawn: DrawnPages = {
      ...(await drawPages(folder, configFile)),
      socialPicture: await writeImages(folder, join(ROOT, 'web')),
    }
    await writeFile(join(folder, DRAWN_PAGES), JSON.stringify(drawn))
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

/** Files below a path, or the file itself; builds, and tests (which no build contains), left out. */
async function filesUnder(path: string): Promise<string[]> {
  const entries = await readdir(join(ROOT, path), { withFileTypes: true, recursive: true }).catch(() => null)
  if (entries === null) return [path]
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length + 1))
    .filter((file) => !/^web\/dist\b/.test(file) && !/\.test\.tsx?$/.test(file))
    .sort()
}

/** Writes each text also as .br and .gz, so that the server compresses nothing twice. */
async function compressAll(folder: string): Promise<void> {
  const names = await readdir(folder, { recursive: true })
  await Promise.all(
    names
      .filter((name) => COMPRESSIBLE.test(name))
      .map(async (name) => {
        const file = join(folder, name)
        const content = await readFile(file)
        await writeFile(`${file}.br`, await promisify(brotliCompress)(content))
        await writeFile(`${file}.gz`, await promisify(gzip)(content, { level: 9 }))
      }),
  )
}

/** A folder cannot be renamed over another: the old build steps aside first. Another build may put its own in
 *  between, then that one steps aside in turn. */
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

/** The first fault as one line, with its place when the bundler names one in its drawing of the source. */
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
