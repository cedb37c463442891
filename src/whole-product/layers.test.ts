import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = resolve(import.meta.dirname, '../..')

/** The modules of the server, from below. An import goes to a lower layer or stays in its module. */
const SERVER_LAYERS = [
  ['contract/reasons.ts'],
  ['errors.ts', 'at-most-every.ts', 'abandoned-files.ts', 'escape-html.ts'],
  ['keyring.ts', 'log.ts', 'metrics.ts', 'contract', 'texts'],
  ['processes'],
  ['storage'],
  ['database'],
  ['faces', 'mail'],
  ['audit', 'photos'],
  ['letters'],
  ['albums', 'admin', 'search', 'zips'],
  ['alerts', 'opt-outs', 'uploads'],
  ['jobs', 'api'],
  ['http'],
]
/** What starts the service: these files may import each other and everything else. */
const STARTS =
  /^src\/(config|config-limits|data-folder|key-check|key-check-queries|start-lines|engines|backends|context|main)\.ts$/

/** The files of a face engine. Everything that is not named here knows the port, `src/faces/face-index.ts`. */
const ENGINE = /^src\/faces\/(embedded|rekognition)\//
const MAY_IMPORT_ENGINES = /^src\/(engines\.ts|context\.ts|config\.ts|testing\/)/

/** Photos, own-albums and share are what several features show. A feature imports no other one. */
const WEB_LAYERS = [
  ['lib'],
  ['ui'],
  ['features/photos', 'features/own-albums', 'features/share'],
  ['features'],
  ['pages'],
]
/** What the web app may see of the server, and that of which it may see the types only. */
const WEB_MAY_IMPORT = /^src\/(contract|texts)\//
const WEB_MAY_IMPORT_TYPES = /^src\/api\/router\.ts$/

interface Import {
  from: string
  to: string
  typeOnly: boolean
}

const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')

function importsOf(file: string): Import[] {
  const statements = read(file).matchAll(
    /(?:^|\n)\s*(?:import|export)\s+(type\s)?[^'"]*?from\s+['"](\.[^'"]+)['"]|import\(\s*['"](\.[^'"]+)['"]\s*\)|(?:^|\n)import\s+['"](\.[^'"]+)['"]/g,
  )
  return [...statements].map((match) => ({
    from: file,
    to: relative(ROOT, resolve(ROOT, dirname(file), match[2] ?? match[3] ?? match[4]!)),
    typeOnly: match[1] !== undefined,
  }))
}

const sourcesOf = (pattern: string) =>
  globSync(pattern, { cwd: ROOT }).filter((file) => !/\.test\.tsx?$|^web\/(dist|e2e)/.test(file))
const serverFiles = sourcesOf('src/**/*.ts')
const serverImports = serverFiles.flatMap(importsOf)
const webImports = sourcesOf('web/**/*.{ts,tsx}').flatMap(importsOf)

/** The module of a file and its layer: -1 when it has none. */
function placeOf(file: string, layers: string[][]): { module: string; layer: number } {
  const path = file.slice(file.indexOf('/') + 1)
  if (STARTS.test(file)) return { module: 'start', layer: layers.length }
  if (file.startsWith('src/testing/')) return { module: 'testing', layer: layers.length + 1 }
  const isIn = (module: string) => path === module || path.startsWith(`${module}/`)
  const layer = layers.findIndex((modules) => modules.some(isIn))
  return { module: layers[layer]?.find(isIn) ?? path, layer }
}

function isRightOnServer({ from, to, typeOnly }: Import): boolean {
  // A function says which parts of the context it takes. The type is erased, so nothing above is loaded.
  if (to === 'src/context.ts' && typeOnly) return true
  const [source, target] = [placeOf(from, SERVER_LAYERS), placeOf(to, SERVER_LAYERS)]
  if (source.layer < 0 || target.layer < 0) return false
  return source.module === target.module || source.layer > target.layer
}

function isRightOnWeb({ from, to, typeOnly }: Import): boolean {
  if (to.startsWith('src/')) return WEB_MAY_IMPORT.test(to) || (typeOnly && WEB_MAY_IMPORT_TYPES.test(to))
  const [source, target] = [placeOf(from, WEB_LAYERS), placeOf(to, WEB_LAYERS)]
  // The entry files in web/ are above all modules; the typed client is below them.
  if (source.layer < 0) return true
  if (target.layer < 0) return /^web\/trpc\.ts$|\.css$|\.svg$/.test(to)
  const featureOf = (file: string) => (source.module === 'features' ? file.split('/')[2] : source.module)
  if (source.module === target.module) return featureOf(from) === featureOf(to)
  return source.layer > target.layer
}

const named = (imports: Import[]) => imports.map(({ from, to }) => `${from} > ${to}`)

test('an import on the server goes to a lower layer or stays in its module', () => {
  expect(serverImports.length).toBeGreaterThan(100)
  expect(named(serverImports.filter((one) => !isRightOnServer(one)))).toEqual([])
})

test('only the composition root, its settings and the tests know the files of a face engine', () => {
  const known = serverImports.filter(({ to }) => ENGINE.test(to))
  expect(known.length).toBeGreaterThan(50)
  const wrong = known.filter(
    ({ from, to }) => !from.startsWith(ENGINE.exec(to)![0]) && !MAY_IMPORT_ENGINES.test(from),
  )
  expect(named(wrong)).toEqual([])
})

test('the web app sees the contract, the texts and the type of the router, and keeps its own layers', () => {
  expect(webImports.length).toBeGreaterThan(100)
  expect(named(webImports.filter((one) => !isRightOnWeb(one)))).toEqual([])
})

test('nothing on the server imports the web app', () => {
  expect(named(serverImports.filter(({ to }) => to.startsWith('web/')))).toEqual([])
})

test('a process that answers requests cannot decode a picture', () => {
  const reached = new Set<string>()
  const visit = (file: string) => {
    if (reached.has(file)) return
    reached.add(file)
    for (const { to, typeOnly } of importsOf(file)) if (!typeOnly) visit(to)
  }
  visit('src/main.ts')
  expect(reached).toContain('src/faces/rekognition/rekognition-face-index.ts')
  const decodes = /^import (?!type)[^;]*?from '(sharp|@vladmandic\/face-api|@tensorflow)/m
  expect([...reached].filter((file) => decodes.test(read(file)))).toEqual([])
})

test('only pg-boss reads and writes its tables', () => {
  // The tests let time pass in them, and look at what is kept.
  const product = serverFiles.filter((file) => !file.startsWith('src/testing/'))
  expect(product.filter((file) => /pgboss\./.test(read(file)))).toEqual([])
})

test('SQL is in the files of queries only', () => {
  // src/database runs Postgres, and src/testing creates databases and rows.
  const others = serverFiles.filter(
    (file) => !/queries\.ts$/.test(file) && !/^src\/(database|testing)\//.test(file),
  )
  const isSql = /\.(selectFrom|insertInto|updateTable|deleteFrom)\(|\bsql[`<]/
  expect(others.filter((file) => isSql.test(read(file)))).toEqual([])
})

test('nothing replaces a method of an object that belongs to Node or to a library', () => {
  const replaces =
    /\b(socket|server|stream|request|response|raw|reply|client|connection)\.(?!on)[a-z]\w* = (async )?(\(|function|\w+ =>|\w+\.bind)/
  expect(serverFiles.filter((file) => replaces.test(read(file)))).toEqual([])
})

test('only the keyring encrypts and signs', () => {
  const files = globSync('src/**/*.ts', { cwd: ROOT }).filter((file) => !file.includes('.test.'))
  const makers = files.filter((file) => /create(Hmac|Cipheriv)/.test(readFileSync(join(ROOT, file), 'utf8')))
  expect(makers).toEqual(['src/keyring.ts'])
})

test('the web app decides by the reason of an error, never by its sentence', () => {
  const wording = read('src/contract/wording.ts').matchAll(/^export const ([A-Z_]+) =/gm)
  const names = [...wording].map(([, name]) => name).join('|')
  const sentence = String.raw`((?<!typeof )\bmessage\b|(serverMessage|failureText)\([^()]*\))`
  const comparison = new RegExp(
    String.raw`${sentence}\??(\.(startsWith|endsWith|includes|match|search)\(| [=!]== (?!null|undefined))` +
      String.raw`|\.test\(\s*[\w.?]*${sentence}|([=!]== |With\()(${names})\b`,
  )
  const compares = sourcesOf('web/**/*.{ts,tsx}').filter((file) => comparison.test(read(file)))
  // §8 fixes what the toast of a search says for a message with certain words.
  expect(compares).toEqual(['web/features/album/search/api.ts'])
})

test('no folder of the product has more than 25 files, and the web app no more than 40 effects', () => {
  const product = globSync('{src,web,scripts}/**/*.{ts,tsx}', {
    cwd: ROOT,
    exclude: ['web/dist/**', 'web/e2e/**', 'src/testing/**', '**/*.test.*'],
  })
  const folders = [...Map.groupBy(product, dirname)]
  expect(folders.filter(([, files]) => files.length > 25).map(([folder]) => folder)).toEqual([])
  const web = product.filter((file) => file.startsWith('web/')).map(read)
  const effects = web.flatMap((code) => code.match(/\buse(Layout)?Effect\(/g) ?? [])
  expect(effects.length).toBeGreaterThan(20)
  expect(effects.length).toBeLessThanOrEqual(40)
})
