import { escapeHtml } from '../escape-html.ts'

/** A piece of HTML that can safely be part of a page. */
export interface Markup {
  markup: string
}

type Value = string | number | false | undefined | Markup | Markup[]

/** A template of HTML. It escapes every text, for elements and for quoted attributes. False and undefined become
 *  nothing. */
export function html(parts: TemplateStringsArray, ...values: Value[]): Markup {
  return { markup: parts.reduce((text, part, index) => text + insert(values[index - 1]) + part) }
}

function insert(value: Value): string {
  if (value === undefined || value === false) return ''
  if (Array.isArray(value)) return value.map((one) => one.markup).join('')
  return typeof value === 'object' ? value.markup : escapeHtml(String(value))
}

/** Converts the parts of Markdown that descriptions use: `code` and **emphasis**. */
export function phrase(text: string): Markup {
  const parts = text.split(/(`[^`]+`|\*\*[^*]+\*\*)/).map((part) => {
    if (part.startsWith('`')) return html`<code>${part.slice(1, -1)}</code>`
    return part.startsWith('**') ? html`<strong>${part.slice(2, -2)}</strong>` : html`${part}`
  })
  return html`${parts}`
}

/** Makes a paragraph of each text between empty lines. */
export function paragraphs(text: string): Markup {
  return html`${text.split('\n\n').map((paragraph) => html`<p>${phrase(paragraph)}</p>`)}`
}
