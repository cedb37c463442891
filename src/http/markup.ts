/** A piece of HTML that is safe to stand in a page. */
export interface Markup {
  markup: string
}

type Value = string | number | false | undefined | Markup | Markup[]

/** A template of HTML. Every text in it is escaped, in elements and in quoted attributes; what is false or
 *  undefined leaves nothing. */
export function html(parts: TemplateStringsArray, ...values: Value[]): Markup {
  return { markup: parts.reduce((text, part, index) => text + insert(values[index - 1]) + part) }
}

function insert(value: Value): string {
  if (value === undefined || value === false) return ''
  if (Array.isArray(value)) return value.map((one) => one.markup).join('')
  return typeof value === 'object' ? value.markup : escaped(String(value))
}

const ESCAPES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character]!)
}

/** The little of Markdown that descriptions use: `code` and **stress**. */
export function phrase(text: string): Markup {
  const parts = text.split(/(`[^`]+`|\*\*[^*]+\*\*)/).map((part) => {
    if (part.startsWith('`')) return html`<code>${part.slice(1, -1)}</code>`
    return part.startsWith('**') ? html`<strong>${part.slice(2, -2)}</strong>` : html`${part}`
  })
  return html`${parts}`
}

/** Texts with an empty line between them. */
export function paragraphs(text: string): Markup {
  return html`${text.split('\n\n').map((paragraph) => html`<p>${phrase(paragraph)}</p>`)}`
}
