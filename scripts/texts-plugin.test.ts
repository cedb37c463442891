import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'vite'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import type { PrerenderedPages } from '../src/http/web-build.ts'
import { landing, pageTitles, siteFrame } from '../src/texts/english.ts'
import { oneTable, textsPlugin } from './texts-plugin.ts'

const DIST = join(import.meta.dirname, '../web/dist')
const ENGLISH = `
const photos = (count: number) => count + ' photos'
export const first = { title: 'One', found: (count: number) => 'Found ' + photos(count) }
export const second = { delete: 'Two' }
`
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'inframe-texts-'))
  await mkdir(join(folder, 'texts'))
  await Promise.all([
    writeFile(join(folder, 'package.json'), '{"type":"module"}'),
    writeFile(join(folder, 'texts/english.ts'), ENGLISH),
    writeFile(
      join(folder, 'texts/german.ts'),
      `export default { first: { title: 'Eins', found: () => 'Da' } }`,
    ),
    writeFile(
      join(folder, 'page.ts'),
      `import { first as texts } from './texts/english.ts'\nexport const said = [texts.title, texts.found(2)]\n`,
    ),
  ])
})
afterEach(() => vi.unstubAllGlobals())
afterAll(() => rm(folder, { recursive: true }))

/** What the page of the folder says, built with these languages besides English. */
async function said(others?: Record<string, string>): Promise<{ said: string[]; code: string }> {
  const outDir = await mkdtemp(join(folder, 'dist-'))
  await build({
    configFile: false,
    root: folder,
    logLevel: 'silent',
    plugins: [textsPlugin(others)],
    build: {
      outDir,
      minify: false,
      lib: { entry: join(folder, 'page.ts'), formats: ['es'], fileName: 'page' },
    },
  })
  const file = join(outDir, 'page.js')
  return { ...(await import(pathToFileURL(file).href)), code: await readFile(file, 'utf8') }
}

/** A browser whose settings prefer these languages. */
function stubBrowser(...languages: string[]) {
  const documentElement = { lang: 'en' }
  vi.stubGlobal('document', { documentElement })
  vi.stubGlobal('navigator', { languages })
  return documentElement
}

test('a page has the texts that it uses, and no others', async () => {
  const page = await said()
  expect(page.said).toEqual(['One', 'Found 2 photos'])
  expect(page.code).not.toContain('Two')
})

test('the built landing page loads the texts of no other page', async () => {
  const { scripts }: PrerenderedPages = JSON.parse(await readFile(join(DIST, '.pages.json'), 'utf8'))
  const index = await readFile(join(DIST, 'index.html'), 'utf8')
  const files = [...index.matchAll(/"(\/assets\/[^"]+\.js)"/g)].map(([, path]) => path!)
  const code = await Promise.all(
    [...files, ...scripts['pages/landing.tsx']!].map((file) => readFile(join(DIST, file), 'utf8')),
  )
  expect(code.join()).toContain(landing.title)
  expect(code.join()).toContain(siteFrame.skip)
  expect(code.join()).not.toContain(pageTitles.stopLetters)
})

test('a name that the language reserves can be the name of a text', () => {
  expect(oneTable(ENGLISH, 'second')).toContain('as delete')
})

test('a table that does not exist ends the build', () => {
  expect(() => oneTable(ENGLISH, 'third')).toThrow('There is no table third')
})

test('a browser gets the first of its languages that exists', async () => {
  const others = { de: join(folder, 'texts/german.ts') }
  const element = stubBrowser('fr-FR', 'de-AT', 'en')
  expect((await said(others)).said).toEqual(['Eins', 'Da'])
  expect(element.lang).toBe('de')
  stubBrowser('en-GB', 'de')
  expect((await said(others)).said).toEqual(['One', 'Found 2 photos'])
  stubBrowser('fr')
  expect((await said(others)).said).toEqual(['One', 'Found 2 photos'])
})
