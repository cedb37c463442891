import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'

const ROOT = resolve(import.meta.dirname, '../..')

/** The layer of each module: an import goes to a lower layer or stays within its module. */
const SERVER_LAYERS: Record<string, number> = {
  'src/abandoned-files.ts': 0,
  'src/errors.ts': 0,
  'src/escape-html.ts': 0,
  'src/gate.ts': 0,
  'src/half-time.ts': 0,
  'src/in-parts.ts': 0,
  'src/keyring.ts': 0,
  'src/log.ts': 0,
  'src/at-most-every.ts': 0,
  'src/metrics.ts': 0,
  'src/contract': 0,
  'src/texts': 0,
  'src/pictures': 0,
  'src/admission': 1,
  'src/database': 1,
  'src/processes': 1,
  'src/storage': 1,
  'src/faces': 1,
  'src/mail': 1,
  'src/queues': 1,
  'src/audit': 2,
  'src/photos': 2,
  'src/albums': 3,
  'src/maintainer': 3,
  'src/search': 3,
  'src/zips': 3,
  'src/alerts': 4,
  'src/opt-outs': 4,
  'src/jobs': 5,
  'src/api': 5,
  'src/http': 6,
  // Read by the composition root, kysely.config.ts and the scripts only.
  'src/config.ts': 7,
  'src/config-limits.ts': 7,
  'src/data-folder.ts': 7,
  'src/key-check.ts': 7,
  'src/key-check-queries.ts': 2,
  'src/start-lines.ts': 7,
  'src/engines.ts': 7,
  'src/backends.ts': 7,
  'src/context.ts': 7,
  'src/main.ts': 7,
  'src/testing': 8,
}
/** Imports between modules of one layer that are allowed. */
const ALLOWED_IN_LAYER = new Set([
  'src/metrics.ts > src/at-most-every.ts',
  'src/log.ts > src/errors.ts',
  'src/main.ts > src/context.ts',
  'src/main.ts > src/start-lines.ts',
  'src/main.ts > src/config.ts',
  'src/config.ts > src/config-limits.ts',
  'src/context.ts > src/config.ts',
  'src/context.ts > src/data-folder.ts',
  'src/data-folder.ts > src/config.ts',
  'src/context.ts > src/key-check.ts',
  'src/key-check.ts > src/config.ts',
  'src/context.ts > src/engines.ts',
  'src/context.ts > src/backends.ts',
  'src/engines.ts > src/config.ts',
  'src/backends.ts > src/config.ts',
  // Both have queries of their own.
  'src/mail > src/database',
  'src/faces > src/database',
  // The engine's networks run in processes of their own.
  'src/faces > src/processes',
  // Transactions that change one album take turns.
  'src/database > src/processes',
  // A job is sent inside a transaction.
  'src/queues > src/database',
])

/** The files of a face engine. */
const ENGINE = /^src\/faces\/(embedded|rekognition)\//
/** What knows the engines. Everything else knows the port, `src/faces/face-index.ts`. */
const MAY_IMPORT_ENGINES = /^src\/(engines\.ts|context\.ts|config\.ts|testing\/)/

const WEB_LAYERS: Record<string, number> = {
  'web/lib': 0,
  'web/ui': 1,
  // What several features show: photos, the choice of a selfie, and the organiser's albums.
  'web/features/photos': 2,
  'web/features/own-albums': 2,
  'web/features': 3,
  'web/pages': 4,
}
/** What the web app may see of the server. */
const WEB_MAY_IMPORT = /^src\/(contract|texts)\//
/** Of these it may see the types only. */
const WEB_MAY_IMPORT_TYPES = /^src\/api\/router\.ts$/

interface Import {
  from: string
  to: string
  typeOnly: boolean
}

function importsOf(file: string): Import[] {
  const text = readFileSync(join(ROOT, file), 'utf8')
  const statements = text.matchAll(
    /(?:^|\n)\s*(?:import|export)\s+(type\s)?[^'"]*?from\s+['"](\.[^'"]+)['"]|import\(\s*['"](\.[^'"]+)['"]\s*\)|(?:^|\n)import\s+['"](\.[^'"]+)['"]/g,
  )
  return [...statements].map((match) => ({
    from: file,
    to: relative(ROOT, resolve(ROOT, dirname(file), match[2] ?? match[3] ?? match[4]!)),
    typeOnly: match[1] !== undefined,
  }))
}

/** The files of a circle in a graph of imports, the first one also at the end. */
function findCircle(imports: Map<string, string[]>): string[] | undefined {
  const isWithout = new Set<string>()
  const visit = (file: string, way: string[]): string[] | undefined => {
    if (way.includes(file)) return [...way.slice(way.indexOf(file)), file]
    if (isWithout.has(file)) return undefined
    for (const to of imports.get(file) ?? []) {
      const circle = visit(to, [...way, file])
      if (circle) return circle
    }
    isWithout.add(file)
    return undefined
  }
  for (const file of imports.keys()) {
    const circle = visit(file, [])
    if (circle) return circle
  }
  return undefined
}

function moduleOf(file: string, layers: Record<string, number>): string | undefined {
  return Object.keys(layers).find((module) => file === module || file.startsWith(`${module}/`))
}

const isTest = (file: string) => /\.test\.tsx?$/.test(file)
const serverFiles = globSync('src/**/*.ts', { cwd: ROOT }).filter((file) => !isTest(file))
const webFiles = globSync('web/**/*.{ts,tsx}', { cwd: ROOT }).filter(
  (file) => !isTest(file) && !file.startsWith('web/dist') && !file.startsWith('web/e2e'),
)

/** A wrong import as `from > to`, or undefined. */
function wrongOnServer({ from, to }: Import): string | undefined {
  const [source, target] = [moduleOf(from, SERVER_LAYERS), moduleOf(to, SERVER_LAYERS)]
  const wrong = `${from} > ${to}`
  if (!source || !target) return wrong
  if (source === target || ALLOWED_IN_LAYER.has(`${source} > ${target}`)) return undefined
  return SERVER_LAYERS[source]! > SERVER_LAYERS[target]! ? undefined : wrong
}

function wrongOnEngines({ from, to }: Import): string | undefined {
  const engine = ENGINE.exec(to)?.[0]
  if (!engine || from.startsWith(engine) || MAY_IMPORT_ENGINES.test(from)) return undefined
  return `${from} > ${to}`
}

function wrongOnWeb({ from, to, typeOnly }: Import): string | undefined {
  const wrong = `${from} > ${to}`
  if (to.startsWith('src/')) {
    const isAllowed = WEB_MAY_IMPORT.test(to) || (typeOnly && WEB_MAY_IMPORT_TYPES.test(to))
    return isAllowed ? undefined : wrong
  }
  const [source, target] = [moduleOf(from, WEB_LAYERS), moduleOf(to, WEB_LAYERS)]
  // The entry files in web/ are above all modules; the typed client is below them.
  if (!source || !target) return source && !/^web\/trpc\.ts$|\.css$|\.svg$/.test(to) ? wrong : undefined
  if (source === 'web/features' && target === source) {
    const feature = (file: string) => file.split('/')[2]
    return feature(from) === feature(to) ? undefined : wrong
  }
  if (source === target) return undefined
  return WEB_LAYERS[source]! > WEB_LAYERS[target]! ? undefined : wrong
}

describe('the layers', () => {
  test('every module of the server has a layer', () => {
    expect(serverFiles.filter((file) => !moduleOf(file, SERVER_LAYERS))).toEqual([])
    expect(serverFiles.length).toBeGreaterThan(30)
  })

  test('an import on the server goes to a lower layer or stays in its module', () => {
    const imports = serverFiles.flatMap(importsOf)
    expect(imports.length).toBeGreaterThan(100)
    expect(imports.map(wrongOnServer).filter(Boolean)).toEqual([])
  })

  test('only the composition root, its settings and the tests know the files of a face engine', () => {
    const imports = serverFiles.flatMap(importsOf)
    expect(imports.filter(({ to }) => ENGINE.test(to)).length).toBeGreaterThan(50)
    expect(imports.map(wrongOnEngines).filter(Boolean)).toEqual([])
  })

  test('the web app sees the contract, the texts and the type of the router, and keeps its own layers', () => {
    expect(webFiles.flatMap(importsOf).map(wrongOnWeb).filter(Boolean)).toEqual([])
  })

  test('nothing on the server imports the web app', () => {
    expect(serverFiles.flatMap(importsOf).filter(({ to }) => to.startsWith('web/'))).toEqual([])
  })

  test('no file imports itself by way of others, types included', () => {
    const files = globSync('{src,web,scripts,db}/**/*.{ts,tsx}', { cwd: ROOT })
    expect(files.length).toBeGreaterThan(500)
    // A file may name its own type.
    const others = (file: string) => importsOf(file).flatMap(({ to }) => (to === file ? [] : to))
    expect(findCircle(new Map(files.map((file) => [file, others(file)])))).toBeUndefined()
  })

  test('a process that answers requests cannot decode a picture', () => {
    const reached = new Set<string>()
    const visit = (file: string) => {
      if (reached.has(file)) return
      reached.add(file)
      for (const { to, typeOnly } of importsOf(file)) if (!typeOnly) visit(to)
    }
    visit('src/main.ts')
    expect(reached.size).toBeGreaterThan(100)
    expect(reached).toContain('src/faces/rekognition/rekognition-face-index.ts')
    const decoding = [...reached].filter((file) =>
      /^import (?!type)[^;]*?from '(sharp|@vladmandic\/face-api|@tensorflow)/m.test(
        readFileSync(join(ROOT, file), 'utf8'),
      ),
    )
    expect(decoding).toEqual([])
  })

  test('SQL is in the files of queries only', () => {
    // src/database runs Postgres, and src/testing creates databases and rows.
    const others = serverFiles.filter(
      (file) => !/queries\.ts$/.test(file) && !/^src\/(database|testing)\//.test(file),
    )
    const offenders = others.filter((file) =>
      /\.(selectFrom|insertInto|updateTable|deleteFrom)\(|\bsql[`<]/.test(
        readFileSync(join(ROOT, file), 'utf8'),
      ),
    )
    expect(offenders).toEqual([])
  })

  test('the check finds a wrong import', () => {
    expect(wrongOnServer({ from: 'src/photos/a.ts', to: 'src/albums/b.ts', typeOnly: false })).toBeTruthy()
    expect(wrongOnServer({ from: 'src/storage/a.ts', to: 'src/database/b.ts', typeOnly: true })).toBeTruthy()
    expect(wrongOnServer({ from: 'src/albums/a.ts', to: 'src/photos/b.ts', typeOnly: false })).toBeUndefined()
    const engine = 'src/faces/rekognition/a.ts'
    expect(wrongOnEngines({ from: 'src/photos/a.ts', to: engine, typeOnly: true })).toBeTruthy()
    expect(wrongOnEngines({ from: 'src/faces/face-index.ts', to: engine, typeOnly: true })).toBeTruthy()
    expect(wrongOnEngines({ from: 'src/faces/embedded/b.ts', to: engine, typeOnly: true })).toBeTruthy()
    expect(wrongOnEngines({ from: 'src/faces/rekognition/b.ts', to: engine, typeOnly: true })).toBeUndefined()
    expect(findCircle(new Map(Object.entries({ a: ['b'], b: ['c'], c: ['b'] })))).toEqual(['b', 'c', 'b'])
    expect(findCircle(new Map(Object.entries({ a: ['b', 'c'], b: ['c'], c: [] })))).toBeUndefined()
    expect(wrongOnWeb({ from: 'web/ui/a.tsx', to: 'web/pages/b.tsx', typeOnly: false })).toBeTruthy()
    expect(wrongOnWeb({ from: 'web/lib/a.ts', to: 'web/testing/b.ts', typeOnly: false })).toBeTruthy()
    expect(wrongOnWeb({ from: 'web/trpc.ts', to: 'src/api/router.ts', typeOnly: false })).toBeTruthy()
    expect(wrongOnWeb({ from: 'web/trpc.ts', to: 'src/api/router.ts', typeOnly: true })).toBeUndefined()
  })
})
