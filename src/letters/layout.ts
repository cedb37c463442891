import { escapeHtml } from '../escape-html.ts'
import type { Letter } from '../mail/mailer.ts'
import { letterParts as texts } from '../texts/english/letters.ts'
import { ACCENT, colours, FONT, SITE_STYLE } from './look.ts'
import { unlinkableName } from './unlinkable-name.ts'

/** What a kind of letter says: plain texts and links. Only this file makes text and HTML of it. */
export interface Draft {
  subject: string
  /** The first sentence; by default the subject. */
  heading?: Words
  blocks: (Block | false | undefined)[]
  /** The page on which its reader says "This was not me". */
  notMe?: string
  /** See `Letter`. */
  stopUrl?: string
}

/** Words of Inframe's own, or a sentence with a name in quotes that somebody else has chosen. */
export type Words = string | { name: string; say: (name: string) => string }

/** A part of a letter; words alone are a paragraph. The plain text has an empty line between two of them. */
export type Block =
  | Words
  /** A paragraph in one line that somebody else has written. */
  | { part: 'line'; words: string }
  /** In the quieter colour. */
  | { part: 'note'; words: string }
  /** A link: a button, one of several choices, or a small one. `textLabel` and `textLink`: in the plain text, when they are others. */
  | { part: 'button' | 'choice' | 'link'; label: string; link: string; textLabel?: string; textLink?: string }
  /** What is not in the plain text, such as a button whose address stands nowhere as text. */
  | { part: 'onlyHtml'; block: Block }
  /** What is copied and passed on, as it is. One press selects all of it. */
  | { part: 'copy'; title: string; lines: Words[] }
  | { part: 'counts'; rows: [what: string, count: number][] }
  | { part: 'list'; title: string; items: [name: string, about: string][]; more: string | undefined }

/** The same as plain text and as HTML. */
type Both = Pick<Letter, 'text' | 'html'>
type Content = Omit<Letter, 'id' | 'to'>

/** Writes a letter. The text has the heading as its first sentence. */
export function layOut({ subject, heading = subject, blocks, notMe, ...draft }: Draft): Content {
  const last: Block | undefined = notMe && { part: 'link', label: texts.notMe, link: notMe }
  const parts = [...blocks, last].filter((block) => block !== false && block !== undefined).map(laidOut)
  const title = written(heading)
  const text = [`${title.text}.`, ...parts.map((part) => part.text).filter((lines) => lines !== '')]
  const html = parts.map((part) => part.html)
  return { ...draft, subject: oneLine(subject), text: `${text.join('\n\n')}\n`, html: page(title.html, html) }
}

const SELECTED_AT_ONCE =
  'margin:0 0 8px;padding:14px 16px;border-width:1px;border-style:solid;border-radius:10px;word-break:break-word;-webkit-user-select:all;user-select:all'
const BUTTON = 'display:inline-block;border-radius:10px;font-weight:600;text-decoration:none'
const CHOICE = `${BUTTON};padding:10px 18px;border-width:1px;border-style:solid`
/** The looks of a link and of the line that it is in. */
const LINKS = {
  button: ['margin:24px 0', ` style="${ACCENT};${BUTTON};padding:12px 22px"`],
  choice: ['margin:0 0 12px', ` ${colours('quiet', CHOICE)}`],
  link: ['margin:8px 0 0;font-size:14px', ''],
}
const TITLE = 'font-size:17px;margin:32px 0 8px'

function laidOut(block: Block): Both {
  if (typeof block === 'string' || 'say' in block) return paragraph(written(block))
  switch (block.part) {
    case 'line':
      return paragraph(writtenLine(block.words))
    case 'note':
      return paragraph(written(block.words), colours('soft', 'margin:16px 0;font-size:14px'))
    case 'button':
    case 'choice':
    case 'link': {
      const { label, link, textLabel = label, textLink = link } = block
      const [line, look] = LINKS[block.part]
      const html = `<a href="${escapeHtml(oneLine(link))}"${look}>${escapeHtml(label)}</a>`
      return paragraph({ text: `${textLabel}:\n${textLink}`, html }, `style="${line}"`)
    }
    case 'onlyHtml':
      return { text: '', html: laidOut(block.block).html }
    case 'copy': {
      const lines = block.lines.map(writtenLine)
      const html = lines.map((line) => line.html).join('<br>')
      return {
        text: `${block.title}:\n\n${lines.map((line) => line.text).join('\n')}`,
        html: `<h2 style="${TITLE}">${block.title}</h2>\n<p ${colours('sunken', SELECTED_AT_ONCE)}>${html}</p>`,
      }
    }
    case 'counts': {
      const rows = block.rows.map(([what, count]) => [what, texts.number(count)])
      const what = colours('soft', 'padding:2px 24px 2px 0')
      const cells = rows.map(
        ([name, count]) => `<tr><td ${what}>${name}</td><td style="text-align:right">${count}</td></tr>`,
      )
      return {
        text: rows.map((row) => row.join(': ')).join('\n'),
        html: `<table role="presentation" style="border-collapse:collapse;font:inherit;margin:24px 0 16px">\n${cells.join('\n')}\n</table>`,
      }
    }
    case 'list': {
      const items = block.items.map(([name, about]) => [quoted(name), writtenLine(about)] as const)
      const more = block.more ? [block.more] : []
      const lines = items.map(([name, about]) => `- ${name.text}: ${about.text}`)
      const entries = items.map(
        ([name, about]) =>
          `<li style="margin:4px 0"><span style="font-weight:600;word-break:break-all">${name.html}</span>: ${about.html}</li>`,
      )
      return {
        text: [`${block.title}:`, ...lines, ...more].join('\n'),
        html: [
          `<h2 style="${TITLE}">${block.title}</h2>`,
          `<ul style="margin:0 0 16px;padding-left:20px;font-size:14px">`,
          ...entries,
          '</ul>',
          ...more.map((words) => `<p style="margin:0 0 24px;font-size:14px">${words}</p>`),
        ].join('\n'),
      }
    }
  }
}

const paragraph = ({ text, html }: Both, look = 'style="margin:0 0 16px"'): Both => ({
  text,
  html: `<p ${look}>${html}</p>`,
})

/** A page with the site's name and colours, light or dark as the mail program says. The first `meta` keeps Apple's mail programs
 *  from making links of dates, addresses and numbers. */
function page(heading: string, content: string[]): string {
  const card = 'padding:28px 24px;border-width:1px;border-style:solid;border-radius:16px'
  const mark = `display:inline-block;width:14px;height:14px;margin-right:8px;border-radius:4px;${ACCENT}`
  return `<!doctype html>
<html lang="${texts.language}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="format-detection" content="telephone=no,date=no,address=no,email=no,url=no">
<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">
${SITE_STYLE}</head>
<body ${colours('page', 'margin:0;padding:0')}>
<div ${colours('page', `padding:24px 12px;font:${FONT}`)}>
<div style="max-width:560px;margin:0 auto">
<p style="margin:0 0 16px;font-size:18px;font-weight:700"><span style="${mark}"></span>${texts.site}</p>
<div ${colours('card', card)}>
<h1 style="font-size:24px;line-height:1.25;margin:0 0 16px">${heading}</h1>
${content.join('\n')}
</div></div></div>
</body>
</html>
`
}

function written(words: Words): Both {
  if (typeof words === 'string') return { text: words, html: escapeHtml(words) }
  const { text, html } = quoted(words.name)
  return { text: words.say(text), html: words.say(html) }
}

/** @param words somebody else may have written them, or a part */
const writtenLine = (words: Words): Both => written(typeof words === 'string' ? oneLine(words) : words)

/** A name in quotes. In the text, a name that is not ASCII is wrapped in Unicode isolates, so that a right-to-left name does not
 *  reorder the line around it (UAX 9, §2.4.2). */
function quoted(name: string): Both {
  const clean = oneLine(name)
  const text = /^[ -~]*$/.test(clean) ? `"${clean}"` : `\u2068"${clean}"\u2069`
  return { text, html: `<bdi>&quot;${escapeHtml(clean)}&quot;</bdi>` }
}

/** The sentence with an album's name, for somebody who may not know who has chosen it; undefined for a name of which nothing is
 *  left. */
export function nameForStranger(albumName: string): Words | undefined {
  const name = unlinkableName(albumName)
  return name ? { name, say: texts.ofAlbum } : undefined
}

/** Replaces line breaks, other control characters and the marks that change the direction of text by spaces. */
function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu, ' ').trim()
}
