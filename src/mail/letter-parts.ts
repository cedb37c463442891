import { escapeHtml } from '../escape-html.ts'
import { letterParts as texts } from '../texts/english.ts'

/** What both kinds of letters say about an album. */
export interface AlbumFacts {
  /** As the owner typed it. */
  albumName: string
  /** The album's full address. */
  link: string
  password: string
  photos: number
  faces: number
  photosWithoutFace: number
  /** The photos that this letter is about, and the seconds from the first upload until all were settled. */
  work?: { photos: number; seconds: number } | undefined
}

/** The lines of a text letter that are the same in both kinds. */
export function factsAsText({ link, password, ...album }: AlbumFacts): string[] {
  return [
    texts.invitation,
    '',
    ...aligned([
      [texts.link, link],
      [texts.password, password],
    ]),
    '',
    ...countsOf(album).map(([what, count]) => `${what}: ${count}`),
    ...timeTaken(album).flatMap((sentence) => ['', sentence]),
  ]
}

export const MUTED = 'opacity:0.75'

/** For the head of a letter with a name: Apple's mail programs then make no links of dates, addresses and numbers in it. */
export const NO_OWN_LINKS =
  '<meta name="format-detection" content="telephone=no,date=no,address=no,email=no,url=no">'

export const button = (link: string, text: string) =>
  `<a href="${escaped(link)}" style="display:inline-block;padding:12px 22px;border-radius:8px;background:#4338ca;color:#ffffff;font-weight:600;text-decoration:none">${text}</a>`

/** Rows of a text letter in which the values are below each other. */
export function aligned(rows: [label: string, value: string][]): string[] {
  const width = Math.max(...rows.map(([label]) => label.length)) + 2
  return rows.map(([label, value]) => `${label}:`.padEnd(width) + value)
}

/** The lines of an HTML letter that are the same in both kinds.
 *  @param moreCounts further rows of the table, as HTML */
export function factsAsHtml(
  { link, password, ...album }: AlbumFacts,
  moreCounts: [what: string, count: string][] = [],
): string[] {
  const rows = [...countsOf(album), ...moreCounts].map(
    ([what, count]) =>
      `<tr><td style="padding:2px 24px 2px 0;${MUTED}">${what}</td><td style="text-align:right">${count}</td></tr>`,
  )
  return [
    `<p style="margin:0 0 24px">${texts.invitation}</p>`,
    `<p style="margin:0 0 24px">${button(link, texts.open)}</p>`,
    `<p style="margin:0 0 4px;${MUTED}">${texts.link}</p>`,
    `<p style="margin:0 0 16px;word-break:break-all">${escaped(link)}</p>`,
    `<p style="margin:0 0 4px;${MUTED}">${texts.password}</p>`,
    `<p style="margin:0 0 24px;font:600 20px/1.3 ui-monospace,Menlo,Consolas,monospace">${escaped(password)}</p>`,
    '<table role="presentation" style="border-collapse:collapse;font:inherit">',
    ...rows,
    '</table>',
    ...timeTaken(album).map((sentence) => `<p style="margin:16px 0 0">${sentence}</p>`),
  ]
}

/** The mail program chooses the background and text colours, light or dark; only the button has its own. */
export function htmlLetter(heading: string, content: string[], head: string[] = []): string {
  return `${[
    '<!doctype html>',
    `<html lang="${texts.language}">`,
    '<head><meta charset="utf-8"><meta name="viewport" content="width=device-width">',
    ...head,
    '<meta name="color-scheme" content="light dark"></head>',
    '<body style="margin:0;padding:0">',
    '<div style="max-width:560px;margin:0 auto;padding:32px 24px;font:16px/1.5 system-ui,-apple-system,Segoe UI,Roboto,Helvetica,Arial,sans-serif">',
    `<h1 style="font-size:24px;line-height:1.25;margin:0 0 16px">${heading}</h1>`,
    ...content,
    '</div>',
    '</body>',
    '</html>',
  ].join('\n')}\n`
}

function countsOf({
  photos,
  faces,
  photosWithoutFace,
}: Pick<AlbumFacts, 'photos' | 'faces' | 'photosWithoutFace'>): [what: string, count: string][] {
  return [
    [texts.photos, texts.number(photos)],
    [texts.faces, texts.number(faces)],
    [texts.photosWithoutFace, texts.number(photosWithoutFace)],
  ]
}

const MINUTE = 60
const DAY = 24 * 60 * MINUTE

/** One sentence, or none: less than a minute is not worth one, and after a day the time says something about an outage
 *  and nothing about the photos. */
function timeTaken({ work }: Pick<AlbumFacts, 'work'>): string[] {
  if (!work || work.seconds < MINUTE || work.seconds >= DAY) return []
  return [texts.timeTaken(work.photos, inMinutes(work.seconds))]
}

/** '1 minute', '2 hours 5 minutes'. */
function inMinutes(seconds: number): string {
  const all = Math.round(seconds / MINUTE)
  const [hours, minutes] = [Math.floor(all / 60), all % 60]
  return [hours > 0 && texts.hours(hours), minutes > 0 && texts.minutes(minutes)].filter(Boolean).join(' ')
}

/** Replaces line breaks, other control characters and the marks that change the direction of text by spaces. */
export function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu, ' ').trim()
}

/** Puts a name in quotes. A name that is not ASCII is wrapped in Unicode isolates, so that a right-to-left name
 *  does not reorder the line around it (UAX 9, §2.4.2). */
export function isolated(name: string): string {
  const clean = oneLine(name)
  return /^[ -~]*$/.test(clean) ? `"${clean}"` : `\u2068"${clean}"\u2069`
}

export function escaped(text: string): string {
  return escapeHtml(oneLine(text))
}
