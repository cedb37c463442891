/** Builds the web app into web/dist. With `--if-needed` only when its sources changed since the last build. */
import { createHash, randomUUID } from 'node:crypto'
import { globSync } from 'node:fs'
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'

const ROOT = join(import.meta.dirname, '..')
const DIST = join(ROOT, 'web/dist')
/** The file in web/dist with the hash of the sources that it was built from. */
const STAMP = '.build-hash'
const SOURCES = [
  'web/**/*.*',
  'src/{contract,texts}/**/*.ts',
  'scripts/{build-web,oldest-browsers,web-images,web-service-worker}.ts',
  'vite.config.ts',
  'package-lock.json',
]
const NOT_SOURCES = ['web/dist*/**', 'web/e2e/**', '**/*.test.*']
/** Without .html: index.html is filled in and compressed for each request. */
const COMPRESSIBLE = /\.(js|css|svg|webmanifest)$/

async function main(): Promise<void> {
  const hash = await hashSources()
  if (process.argv.includes('--if-needed') && (await lastBuild()) === hash) return

  const start = performance.now()
  // Beside web/dist, so that it becomes web/dist by one rename. The name is unique, so that two simultaneous builds
  // do not disturb each other.
  const folder = join(ROOT, `web/dist-${randomUUID()}`)
  try {
    // Otherwise a test run, which sets another value, would build the development version of React.
    process.env.NODE_ENV = 'production'
    // Loaded only when a build is needed.
    const { build } = await import('vite')
    const { writeImages } = await import('./web-images.ts')
    const { writeServiceWorker } = await import('./web-service-worker.ts')
    const configFile = join(ROOT, 'vite.config.ts')
    await build({ configFile, logLevel: 'silent', build: { outDir: folder, emptyOutDir: true } })
    await writeImages(folder, join(ROOT, 'web'))
    await writeServiceWorker(folder, join(ROOT, 'web'))
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
  for (const file of globSync(SOURCES, { cwd: ROOT, exclude: NOT_SOURCES }).sort())
    hash.update(`${file}\0`).update(await readFile(join(ROOT, file)))
  return hash.digest('hex')
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

/** Makes this folder the new web/dist. A folder cannot be renamed to the name of another one, so the old build goes
 *  first. Another build of the same sources may take its place in between; then that one stays. */
async function putInPlace(folder: string): Promise<void> {
  await rename(DIST, `${folder}.old`).catch(unless('ENOENT'))
  await rename(folder, DIST).catch(unless('ENOTEMPTY', 'EEXIST'))
  await rm(`${folder}.old`, { recursive: true, force: true })
}

function unless(...codes: string[]): (error: NodeJS.ErrnoException) => void {
  return (error) => {
    if (!codes.includes(error.code ?? '')) throw error
  }
}

main().catch((error: unknown) => {
  console.error(`The web app could not be built: ${error instanceof Error ? error.message : error}`)
  process.exitCode = 1
})
