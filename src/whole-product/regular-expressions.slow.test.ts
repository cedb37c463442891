import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import recheck from 'recheck/lib/browser.js'
import { type ESTree, parseSync, Visitor } from 'vite'
import { describe, expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')
/** Ms for one regular expression, on a busy machine. */
const TIMEOUT = 60_000

interface Found {
  /** Regular expressions that are written out, such as `/a+/g`. */
  literals: { pattern: string; flags: string }[]
  /** How many the program makes from text while it runs. */
  made: number
}

function regularExpressionsIn(code: string): Found {
  const found: Found = { literals: [], made: 0 }
  const countMade = ({ callee }: ESTree.CallExpression | ESTree.NewExpression) => {
    if (callee.type === 'Identifier' && callee.name === 'RegExp') found.made++
  }
  new Visitor({
    Literal(node) {
      if ('regex' in node && node.regex) found.literals.push(node.regex)
    },
    NewExpression: countMade,
    CallExpression: countMade,
  }).visit(parseSync('code.tsx', code).program)
  return found
}

/** What an attacker can make of it, such as "2nd degree polynomial"; undefined when its time grows like the text.
 *  @throws Error when it could not be checked */
function slowness(pattern: string, flags: string): string | undefined {
  const result = recheck.checkSync(pattern, flags, { timeout: TIMEOUT })
  if (result.status === 'unknown') throw new Error(`/${pattern}/${flags} could not be checked`)
  return result.status === 'vulnerable' ? result.complexity.summary : undefined
}

const isForTests = (file: string) => /\.test\.tsx?$|^(src\/testing|web\/(e2e|dist.*))\//.test(file)
/** The scripts are left out: they read this project's own files, and what the service answers. */
const product = globSync('{src,web}/**/*.{ts,tsx}', { cwd: ROOT })
  .filter((file) => !isForTests(file))
  .map((file) => ({ file, ...regularExpressionsIn(readFileSync(join(ROOT, file), 'utf8')) }))

describe('no text makes the product slow', () => {
  test('each of its regular expressions needs time in proportion to the text', () => {
    const slow = product.flatMap(({ file, literals }) =>
      literals.flatMap(({ pattern, flags }) => {
        const summary = slowness(pattern, flags)
        return summary ? [`${file}: /${pattern}/${flags} is ${summary}`] : []
      }),
    )
    expect(slow).toEqual([])
    expect(product.flatMap(({ literals }) => literals).length).toBeGreaterThan(50)
  })

  test('none is made from text while it runs, where this test could not see it', () => {
    const makers = product.filter(({ made }) => made > 0)
    expect(makers.map(({ file }) => file)).toEqual([])
  })
})
