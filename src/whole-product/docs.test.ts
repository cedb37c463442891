import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')

const DOCUMENTS = globSync(['*.md', 'docs/*.md'], { cwd: ROOT })

const all = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, found]) => found!)

/** The anchors of a document's headings, as the hosts of repositories make them. */
const anchorsOf = (markdown: string) =>
  all(markdown, /^#+ (.+)$/gm).map((heading) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )

/** The links and pictures of a document that lead nowhere. */
function deadLinks(document: string, markdown: string): string[] {
  return all(markdown, /\]\(([^)\s]+)\)/g).filter((link) => {
    if (/^[a-z]+:/.test(link)) return false
    const [path, anchor] = link.split('#') as [string, string?]
    const target = path ? join(dirname(document), path) : document
    if (!existsSync(join(ROOT, target))) return true
    return anchor !== undefined && !anchorsOf(path ? read(target) : markdown).includes(anchor)
  })
}

/** The files and folders of the repository that a text names in code, and that do not exist. */
const missingFiles = (text: string) =>
  all(text, /`((?:src|web|scripts|db|docs|\.ci)\/[\w./-]+)`/g).filter(
    (path) => !path.startsWith('web/dist') && !existsSync(join(ROOT, path)),
  )

const { scripts } = JSON.parse(read('package.json'))

/** The commands of npm that a text names, and that package.json lacks. */
const missingCommands = (text: string) =>
  all(text, /npm\s+run\s+([\w:-]+)/g).filter((name) => !Object.hasOwn(scripts, name))

/** Inframe's variables and those of others that documents name. */
const VARIABLES = new Set(all(read('.env.example'), /\b([A-Z][A-Z0-9]*_[A-Z0-9_]+|HOST|PORT|ROLE|FACES)\b/g))
const OF_OTHERS = ['POSTGRES_PASSWORD']

/** The variables that a text names in code, and that .env.example lacks. */
const missingVariables = (text: string) =>
  all(text, /`([A-Z][A-Z0-9]*_[A-Z0-9_]+)(?:=[^`]*)?`/g).filter(
    (name) => !VARIABLES.has(name) && !OF_OTHERS.includes(name),
  )

/** The metrics that a text names, and that nobody counts. */
const missingMetrics = (text: string) =>
  all(text, /`(inframe_\w+)`/g).filter((name) => !read('src/metrics.ts').includes(`'${name}'`))

describe('the documents', () => {
  test.each(DOCUMENTS)('%s names and links only what exists', (document) => {
    const markdown = read(document)
    expect(deadLinks(document, markdown)).toEqual([])
    expect(missingFiles(markdown)).toEqual([])
    expect(missingCommands(markdown)).toEqual([])
    expect(missingVariables(markdown)).toEqual([])
    expect(missingMetrics(markdown)).toEqual([])
  })

  test('README leads to each of them, and can be read in three minutes', () => {
    const readme = read('README.md')
    const links = all(readme, /\]\(([^)#\s]+)/g)
    expect(DOCUMENTS.filter((document) => document !== 'README.md' && !links.includes(document))).toEqual([])
    expect(readme.trimEnd().split('\n').length).toBeLessThanOrEqual(110)
  })

  test('every document that the code names exists', () => {
    const files = globSync(
      [
        '{src,web,scripts,db}/**/*.{ts,tsx,js}',
        'docs/*.service',
        '.env.example',
        'Dockerfile',
        'compose.yaml',
      ],
      { cwd: ROOT, exclude: ['web/dist*/**'] },
    )
    const named = files.flatMap((file) =>
      all(read(file), /(?<![\w/.-])((?:docs\/)?[A-Za-z-]+\.md)\b/g).map((path) => ({ file, path })),
    )
    expect(named.length).toBeGreaterThan(5)
    expect(named.filter(({ path }) => !existsSync(join(ROOT, path)))).toEqual([])
  })
})
