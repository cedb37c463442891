/** A page loads only the texts that it needs, although all texts of a language are in one file. */
import { readFile } from 'node:fs/promises'
import { type ESTree, type Plugin, parseSync } from 'vite'

const TEXTS_IMPORT = /import \{([^}]+)\} from '([^']*\/texts\/english\.ts)'/g
const ONE_TABLE = /\/texts\/english\.ts\?table=\w+$/
const CHOSEN = 'virtual:chosen-language'

/** Makes a module of each exported table of src/texts/english.ts, and a constant of each text in it. So the bundler
 *  puts texts where they are used, and leaves out those that are not.
 *  @param others the files of further languages, by their code: `{ de: '/path/german.ts' }`. The browser loads one of
 *  them, as a whole, when its settings prefer that language to English. */
export function textsPlugin(others: Record<string, string> = {}): Plugin {
  const hasOthers = Object.keys(others).length > 0
  return {
    name: 'texts',
    enforce: 'pre',
    resolveId: (id) => (id === CHOSEN ? CHOSEN : undefined),
    transform: {
      filter: { code: '/texts/english.ts' },
      handler: (code) => ({ code: code.replace(TEXTS_IMPORT, importTables), map: null }),
    },
    load: {
      filter: { id: [ONE_TABLE, /^virtual:chosen-language$/] },
      async handler(id) {
        if (id === CHOSEN) return choiceOf(others)
        const [file, table] = id.split('?table=') as [string, string]
        return oneTable(await readFile(file, 'utf8'), table, hasOthers)
      },
    },
  }
}

/** `import { albums as texts } from …` becomes `import * as texts from …?table=albums`. */
function importTables(_: string, names: string, file: string): string {
  return names
    .split(',')
    .filter((name) => name.trim() !== '')
    .map((name) => name.trim().split(' as '))
    .map(([table, local = table]) => `import * as ${local} from '${file}?table=${table}'`)
    .join('\n')
}

/** The code of a module with the texts of one table as its exports.
 *  @param isOneOfSeveral whether the browser may prefer another language.
 *  @throws Error when the file has no such table */
export function oneTable(code: string, table: string, isOneOfSeveral = false): string {
  const { body } = parseSync('english.ts', code).program
  const texts = body.flatMap(tablesOf).find(({ name }) => name === table)?.texts
  if (!texts) throw new Error(`There is no table ${table} in the texts`)
  const source = ({ start, end }: { start: number; end: number }) => code.slice(start, end)
  return [
    ...(isOneOfSeveral ? [`import { chosen } from '${CHOSEN}'`] : []),
    ...body.filter((statement) => statement.type !== 'ExportNamedDeclaration').map(source),
    ...texts.map(({ key, value }, index) => {
      const other = isOneOfSeveral ? `chosen?.${table}.${source(key)} ?? ` : ''
      return `const text${index} = ${other}(${source(value)})`
    }),
    `export { ${texts.map(({ key }, index) => `text${index} as ${source(key)}`).join(', ')} }`,
  ].join('\n')
}

function tablesOf(statement: ESTree.Program['body'][number]) {
  const isTable = statement.type === 'ExportNamedDeclaration'
  if (!isTable || statement.declaration?.type !== 'VariableDeclaration') return []
  return statement.declaration.declarations.map(({ id, init }) => {
    if (id.type !== 'Identifier' || init?.type !== 'ObjectExpression')
      throw new Error('Only tables are exported from the texts')
    return { name: id.name, texts: init.properties.filter((text) => text.type === 'Property') }
  })
}

/** The code of a module whose `chosen` has the tables of the language that the browser prefers; undefined for English.
 *  Pages are prerendered in English. */
function choiceOf(others: Record<string, string>): string {
  const loaders = Object.entries(others).map(([code, file]) => `${code}: () => import('${file}')`)
  return `
const others = { ${loaders.join(', ')} }
const preferred = typeof document === 'undefined' ? [] : navigator.languages.map((tag) => tag.split('-')[0])
const language = preferred.find((code) => code === 'en' || code in others) ?? 'en'
if (language !== 'en') document.documentElement.lang = language
export const chosen = (await others[language]?.())?.default`
}
