import { escapeHtml } from '../escape-html.ts'
import { letterParts as texts } from '../texts/english/letters.ts'
import { colours, FONT, LIGHT, SITE_STYLE } from './look.ts'
import { unlinkableName } from './unlinkable-name.ts'

/** What a letter says. */
export interface Content {
  subject: string
  text: string
  html: string
}

/** The same words as plain text and as HTML. */
export interface Words {
  text: string
  html: string
}

/** A part of a letter. The plain text has an empty line between two of them. */
export type Block =
  | { part: 'paragraph'; words: Words }
  /** In the quieter colour. */
  | { part: 'note'; words: Words }
  /** A link that stands out. `quiet`: one of several choices. `inText`: what the plain text says before the link; null: its
   *  address stands nowhere as text. `textLink`: the address in the plain text, when it is another one. */
  | {
      part: 'button'
      label: string
      link: string
      quiet?: boolean
      inText?: string | null
      textLink?: string
    }
  | { part: 'link'; label: string; link: string }
  /** What is copied and passed on, as it is. One press selects all of it. */
  | { part: 'copy'; title: string; lines: Words[] }
  | { part: 'counts'; rows: [what: string, count: string][] }
  | { part: 'list'; title: string; items: Words[]; more: string | undefined }

/** @param heading the text has it as its first sentence */
export function layOut(subject: string, heading: Words, blocks: (Block | false | undefined)[]): Content {
  const parts = blocks.filter((block) => block !== false && block !== undefined)
  const text = [`${heading.text}.`, ...parts.map(asText).filter((lines) => lines !== '')]
  return { subject, text: `${text.join('\n\n')}\n`, html: page(heading.html, parts.map(asHtml)) }
}

function asText(block: Block): string {
  switch (block.part) {
    case 'paragraph':
    case 'note':
      return block.words.text
    case 'button':
      return block.inText === null ? '' : `${block.inText ?? block.label}:\n${block.textLink ?? block.link}`
    case 'link':
      return `${block.label}:\n${block.link}`
    case 'copy':
      return `${block.title}:\n\n${block.lines.map(({ text }) => text).join('\n')}`
    case 'counts':
      return block.rows.map(([what, count]) => `${what}: ${count}`).join('\n')
    case 'list':
      return [
        `${block.title}:`,
        ...block.items.map(({ text }) => `- ${text}`),
        ...(block.more ? [block.more] : []),
      ].join('\n')
  }
}

const SELECTED_AT_ONCE =
  'margin:0 0 8px;padding:14px 16px;border-width:1px;border-style:solid;border-radius:10px;word-break:break-word;-webkit-user-select:all;user-select:all'
const QUIET_BUTTON =
  'display:inline-block;padding:10px 18px;border-radius:10px;border-width:1px;border-style:solid;font-weight:600;text-decoration:none'
const BUTTON = `display:inline-block;padding:12px 22px;border-radius:10px;background-color:${LIGHT.accent};color:${LIGHT['on-accent']};font-weight:600;text-decoration:none`

function asHtml(block: Block): string {
  switch (block.part) {
    case 'paragraph':
      return `<p style="margin:0 0 16px">${block.words.html}</p>`
    case 'note':
      return `<p ${colours('soft', 'margin:16px 0;font-size:14px')}>${block.words.html}</p>`
    case 'button': {
      const look = block.quiet ? colours('quiet', QUIET_BUTTON) : `style="${BUTTON}"`
      return `<p style="margin:${block.quiet ? '0 0 12px' : '24px 0'}"><a href="${escaped(block.link)}" ${look}>${block.label}</a></p>`
    }
    case 'link':
      return `<p style="margin:8px 0 0;font-size:14px"><a href="${escaped(block.link)}">${block.label}</a></p>`
    case 'copy':
      return [
        `<h2 style="font-size:17px;margin:32px 0 8px">${block.title}</h2>`,
        `<p ${colours('sunken', SELECTED_AT_ONCE)}>${block.lines.map(({ html }) => html).join('<br>')}</p>`,
      ].join('\n')
    case 'counts': {
      const rows = block.rows.map(
        ([what, count]) =>
          `<tr><td ${colours('soft', 'padding:2px 24px 2px 0')}>${what}</td><td style="text-align:right">${count}</td></tr>`,
      )
      const look = 'border-collapse:collapse;font:inherit;margin:24px 0 16px'
      return `<table role="presentation" style="${look}">\n${rows.join('\n')}\n</table>`
    }
    case 'list':
      return [
        `<h2 style="font-size:17px;margin:32px 0 8px">${block.title}</h2>`,
        '<ul style="margin:0 0 16px;padding-left:20px;font-size:14px">',
        ...block.items.map(({ html }) => `<li style="margin:4px 0">${html}</li>`),
        '</ul>',
        ...(block.more ? [`<p style="margin:0 0 24px;font-size:14px">${block.more}</p>`] : []),
      ].join('\n')
  }
}

/** A page with the site's name and colours, light or dark as the mail program says. The first `meta` keeps Apple's mail programs
 *  from making links of dates, addresses and numbers. */
function page(heading: string, content: string[]): string {
  const card = 'padding:28px 24px;border-width:1px;border-style:solid;border-radius:16px'
  const mark = `display:inline-block;width:14px;height:14px;margin-right:8px;border-radius:4px;background-color:${LIGHT.accent}`
  return `${[
    '<!doctype html>',
    `<html lang="${texts.language}">`,
    '<head><meta charset="utf-8"><meta name="viewport" content="width=device-width">',
    '<meta name="format-detection" content="telephone=no,date=no,address=no,email=no,url=no">',
    '<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">',
    `${SITE_STYLE}</head>`,
    `<body ${colours('page', 'margin:0;padding:0')}>`,
    `<div ${colours('page', `padding:24px 12px;font:${FONT}`)}>`,
    '<div style="max-width:560px;margin:0 auto">',
    `<p style="margin:0 0 16px;font-size:18px;font-weight:700"><span style="${mark}"></span>${texts.site}</p>`,
    `<div ${colours('card', card)}>`,
    `<h1 style="font-size:24px;line-height:1.25;margin:0 0 16px">${heading}</h1>`,
    ...content,
    '</div></div></div>',
    '</body>',
    '</html>',
  ].join('\n')}\n`
}

/** Words of Inframe's own. */
export const plain = (text: string): Words => ({ text, html: text })

/** Words that somebody else has chosen. */
export const foreign = (text: string): Words => ({ text: oneLine(text), html: escaped(text) })

/** A sentence with words of somebody else. */
export function around(words: Words, sentence: (words: string) => string): Words {
  return { text: sentence(words.text), html: sentence(words.html) }
}

/** A name in quotes. In the text, a name that is not ASCII is wrapped in Unicode isolates, so that a right-to-left name does not
 *  reorder the line around it (UAX 9, §2.4.2). */
export function quoted(name: string): Words {
  const clean = oneLine(name)
  const text = /^[ -~]*$/.test(clean) ? `"${clean}"` : `\u2068"${clean}"\u2069`
  return { text, html: `<bdi>&quot;${escapeHtml(clean)}&quot;</bdi>` }
}

/** The sentence with an album's name, for somebody who may not know who has chosen it; undefined for a name of which nothing is
 *  left. */
export function nameForStranger(albumName: string): Block | undefined {
  const name = unlinkableName(albumName)
  return name ? { part: 'paragraph', words: around(quoted(name), texts.ofAlbum) } : undefined
}

/** Replaces line breaks, other control characters and the marks that change the direction of text by spaces. */
export function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu, ' ').trim()
}

function escaped(text: string): string {
  return escapeHtml(oneLine(text))
}
