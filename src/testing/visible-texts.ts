/** Finds text for visitors in source code. */
import { type ESTree, parseSync, Visitor } from 'vite'

/** Attributes whose values are for the browser and not for people. */
const TECHNICAL = new Set(['className', 'style', 'd', 'to', 'type', 'autoComplete', 'viewBox', 'hotkey'])
/** A word that begins with a capital, as every sentence and label does: 'Close', but not 'albumName' or 'NOT_FOUND'. */
const LABEL = /^[^\p{L}]*\p{Lu}[’']? ?\p{Ll}/u
/** Two words with a space between them, without the signs that code and class names have. */
const WORDS = /^[^-/:[\]=()<>#$_{}]*\p{Ll}[,.!?…]? [^-/[\]=()<>#$_{}]*$/u
/** A word beside a value: ' of ', ' photos'. */
const WORD = /(^|\s)\p{Ll}{2,}[,.!?…]?(\s|$)/u

/** What an Error for maintainers is made with. Visitors do not see its message. */
const FOR_MAINTAINERS = /^(Error|TypeError|PageNotLoaded)$|^console\./

export interface VisibleText {
  line: number
  text: string
}

/** The texts in code that a visitor may read, with a 0 for each value in them. */
export function visibleTexts(code: string): VisibleText[] {
  const technical: ESTree.Span[] = []
  const found: { at: ESTree.Span; text: string }[] = []
  const skip = (...nodes: ESTree.Span[]) => void technical.push(...nodes)
  const add = (at: ESTree.Span, text: string) =>
    void found.push({ at, text: text.replace(/\s+/g, ' ').trim() })

  new Visitor({
    JSXAttribute: (node) => TECHNICAL.has(String(node.name.name)) && skip(node),
    ImportDeclaration: skip,
    ImportExpression: skip,
    TSLiteralType: skip,
    TSModuleDeclaration: ({ id }) => skip(id),
    BinaryExpression: ({ left, right }) => skip(...[left, right].filter(({ type }) => type === 'Literal')),
    NewExpression: (node) => FOR_MAINTAINERS.test(sourceOf(node.callee)) && skip(node),
    CallExpression: (node) => FOR_MAINTAINERS.test(sourceOf(node.callee)) && skip(node),
    // The name of an Error.
    PropertyDefinition: ({ key, value }) => sourceOf(key) === 'name' && value && skip(value),
    JSXText: (node) => /\p{L}/u.test(node.value) && add(node, node.value),
    Literal: (node) => typeof node.value === 'string' && isText(node.value) && add(node, node.value),
    TemplateLiteral(node) {
      const text = node.quasis.map(({ value }) => value.cooked).join('0')
      if (isText(text)) add(node, text)
    },
  }).visit(parseSync('code.tsx', code).program)

  return found
    .filter(({ at }) => !technical.some(({ start, end }) => start <= at.start && at.start < end))
    .map(({ at, text }) => ({ line: code.slice(0, at.start).split('\n').length, text }))

  function sourceOf({ start, end }: ESTree.Span): string {
    return code.slice(start, end)
  }
}

function isText(value: string): boolean {
  const text = value.replace(/<[^>]*>/g, '')
  return LABEL.test(text) || (WORDS.test(text) && WORD.test(text))
}
