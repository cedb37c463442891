import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { privacyPolicy, termsOfService } from '../texts/english/legal.ts'

const ROOT = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')

interface Row {
  what: string
  where: string
  howLong: string
  test: string
}

/** The table of docs/privacy.md. */
const ROWS: Row[] = read('docs/privacy.md')
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .slice(1)
  .map((line) => {
    const [what, where, howLong, , proof] = line.slice(2, -2).split(' | ')
    return { what: what!, where: where!, howLong: howLong!, test: proof ?? '' }
  })
/** What stands as code in the places of all rows. */
const PLACES = new Set(
  ROWS.flatMap(({ where }) => [...where.matchAll(/`([^`]+)`/g)].map(([, code]) => code!)),
)

const SECONDS = { second: 1, minute: 60, hour: 3600, day: 86_400 }
const NUMBERS = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']
const DURATION = new RegExp(`\\b(\\d+|an?|${NUMBERS.join('|')}) (second|minute|hour|day)s?\\b`, 'gi')

/** The durations in a text, in seconds. */
const durationsIn = (text: string) =>
  [...text.matchAll(DURATION)].map(([, count, unit]) => {
    const number = /\d/.test(count!) ? Number(count) : Math.max(NUMBERS.indexOf(count!.toLowerCase()), 1)
    return number * SECONDS[unit!.toLowerCase() as keyof typeof SECONDS]
  })

/** Whether each duration of a text is in a row about the same thing. */
function isInTable(text: string): boolean {
  const lower = text.toLowerCase()
  const rows = ROWS.filter(({ what }) =>
    [...what.matchAll(/\*\*([^*]+)\*\*/g)].some(([, word]) => lower.includes(word!.toLowerCase())),
  )
  const known = new Set(rows.flatMap(({ howLong }) => durationsIn(howLong)))
  return durationsIn(text).every((seconds) => known.has(seconds))
}

/** The paragraphs of a legal text, each with its heading. */
const paragraphsOf = ({ sections }: typeof privacyPolicy | typeof termsOfService) =>
  sections.flatMap(({ heading, body }) => body.flat().map((text) => `${heading}: ${text}`))

/** Every text of a page, with its name. A text with values is taken as it is written. */
function pageTexts(value: unknown, name: string): string[] {
  if (typeof value === 'string' || typeof value === 'function') return [`${name}: ${value}`]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, child]) => pageTexts(child, `${name}.${key}`))
}

/** Tables of texts whose durations are of an upload, of a wait, or of the maintainer's own set-up. */
const NOT_ABOUT_PEOPLE = /^(units|timeLeft|failures|upload|uploadSuccess|generateUrl|oauthHelper|setupLink)$/

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database?.drop())

describe('the table of promises', () => {
  test('names a test that exists in every row', () => {
    expect(ROWS.length).toBeGreaterThan(30)
    const without = ROWS.filter(({ test: proof }) => {
      const [, path, name] = proof.match(/^`([^`]+)` "(.+)"$/) ?? []
      return !path || !existsSync(join(ROOT, path)) || !read(path).replaceAll("\\'", "'").includes(name!)
    })
    expect(without).toEqual([])
  })

  test('has every time that the policy, the terms, SECURITY.md, a page or a letter states', async () => {
    const files = globSync('src/texts/english/*.ts', { cwd: ROOT }).filter(
      (file) => !/legal|counts/.test(file),
    )
    const pages = Object.assign({}, ...(await Promise.all(files.map((file) => import(join(ROOT, file))))))
    expect(Object.keys(pages).length).toBeGreaterThan(50)
    const statements = [
      ...[privacyPolicy, termsOfService].flatMap(paragraphsOf),
      ...read('SECURITY.md')
        .split(/\n(?=- |\|)|\n\n/)
        .map((text) => text.replaceAll(/\n +/g, ' ')),
      ...Object.entries(pages).flatMap(([name, table]) =>
        NOT_ABOUT_PEOPLE.test(name) ? [] : pageTexts(table, name),
      ),
    ]
    expect(statements.filter((text) => !isInTable(text))).toEqual([])
  })

  test('every column of the database is in a row', async () => {
    const { rows } = await sql<{ name: string }>`
      select table_name || '.' || column_name as name from information_schema.columns
      where table_schema = 'public' and table_name not like 'kysely_%'`.execute(database.db)
    const columns = [...PLACES].flatMap((place) => {
      const [, table, names] = place.match(/^(\w+)\.\{?([\w, ]+)\}?$/) ?? []
      return names?.split(', ').map((name) => `${table}.${name}`) ?? []
    })
    expect(columns.toSorted()).toEqual(rows.map(({ name }) => name).toSorted())
  })

  test('every other schema of the database is in a row', async () => {
    const { rows } = await sql<{ name: string }>`
      select schema_name as name from information_schema.schemata
      where schema_name !~ '^pg_|^information_schema$|^public$'`.execute(database.db)
    expect(rows.filter(({ name }) => !PLACES.has(name))).toEqual([])
  })

  test('every folder of the data is in a row, and every kind of file in the storage', () => {
    const sources = globSync('src/**/*.ts', { cwd: ROOT }).filter(
      (path) => !/\.test\.ts$|\/testing\//.test(path),
    )
    const code = sources.map(read).join('\n')
    const folders = [...code.matchAll(/join\((?:config\.)?dataDir, '([^']+)'/g)].map(([, name]) => name!)
    const kinds = [...code.matchAll(/return `(\w+)\/\$\{\w+Id\}/g)].map(([, name]) => name!)
    expect(new Set(folders)).toContain('outbox')
    expect(new Set(kinds)).toEqual(new Set(['albums', 'selfies']))
    const names = [...folders, ...kinds].filter((name) => !PLACES.has(`${name}/`) && !PLACES.has(name))
    expect(names).toEqual([])
  })

  test('everything that a browser keeps is in a row, with the file that keeps it', () => {
    const sources = globSync('web/**/*.{ts,tsx,js}', { cwd: ROOT }).filter(
      (path) => !/\.test\.tsx?$|^web\/(dist|e2e|testing)\//.test(path),
    )
    const keeping = sources.filter((path) =>
      /\b(localStorage|sessionStorage|indexedDB|createStore\(|caches\.|document\.cookie|cookieStore)/.test(
        read(path),
      ),
    )
    const session = read('src/http/session.ts')
    const names = [...keeping, 'web/lib/persisted.ts'].flatMap((path) =>
      [
        ...read(path).matchAll(
          /(?:Item|createStore|caches\.open|\bread)\(\s*['`]([^'`$]+)|\bconst [A-Z_]+ = ['`]([^'`$]+)|=> `([^`$]+)\$\{album|\w: persisted<.+?>\(\s*'\w+Storage',\s*'([^']+)'/g,
        ),
      ].map((match) => match[1] ?? match[2] ?? match[3] ?? match[4]!),
    )
    const cookies = [...session.matchAll(/cookieName: '(\w+)'/g)].map(([, name]) => `cookie ${name}`)
    const kept = [...PLACES].filter((place) =>
      /^(localStorage|sessionStorage|IndexedDB|cache|cookie) /.test(place),
    )
    const named = new Set(kept.map((place) => place.slice(place.indexOf(' ') + 1)))
    expect(keeping.filter((path) => !PLACES.has(path))).toEqual([])
    expect(names.filter((name) => !named.has(name))).toEqual([])
    expect(cookies.filter((name) => !PLACES.has(name))).toEqual([])
    // And nothing that no file keeps.
    const inCode = new Set([...names, ...cookies.map((name) => name.replace('cookie ', ''))])
    expect([...named].filter((name) => !inCode.has(name))).toEqual([])
  })
})
