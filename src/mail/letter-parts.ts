import { escapeHtml } from '../escape-html.ts'
import { letterParts as texts } from '../texts/english.ts'
import { colours, FONT, LIGHT, SITE_STYLE } from './site-look.ts'

/** What both kinds of letters say about an album. */
export interface AlbumFacts {
  /** As the owner typed it. */
  albumName: string
  /** The album's full address, for guests: it gives no right and confirms nothing. */
  link: string
  password: string
  photos: number
  faces: number
  photosWithoutFace: number
  /** The photos that this letter is about, and the seconds from the first upload until all were settled. */
  work?: { photos: number; seconds: number } | undefined
}

/** The lines of a text letter that are the same in both kinds.
 *  @param name the album's, as it may stand in the letter */
export function factsAsText({ link, password, ...album }: AlbumFacts, name: string): string[] {
  return [
    `${texts.toShare}:`,
    '',
    ...sharedLines(name, link, password),
    '',
    texts.guests,
    '',
    ...countsOf(album).map(([what, count]) => `${what}: ${count}`),
    ...timeTaken(album).flatMap((sentence) => ['', sentence]),
  ]
}

/** What an owner sends to guests, in lines that can be copied as they are. */
const sharedLines = (name: string, link: string, password: string) => [
  texts.find(name),
  link,
  texts.passwordIs(password),
]

/** Smaller text in the quieter colour. */
export const small = (text: string, margin = '0') =>
  `<p ${colours('soft', `margin:${margin};font-size:14px`)}>${text}</p>`

/** For the head of a letter with a name: Apple's mail programs then make no links of dates, addresses and numbers in it. */
export const NO_OWN_LINKS =
  '<meta name="format-detection" content="telephone=no,date=no,address=no,email=no,url=no">'

export const button = (link: string, text: string) =>
  `<a href="${escaped(link)}" style="display:inline-block;padding:12px 22px;border-radius:10px;background-color:${LIGHT.accent};color:${LIGHT['on-accent']};font-weight:600;text-decoration:none">${text}</a>`

/** Like `button`, for what is one of several choices. */
export const quietButton = (link: string, text: string) =>
  `<a href="${escaped(link)}" ${colours('quiet', 'display:inline-block;margin:8px 12px 0 0;padding:10px 18px;border-radius:10px;border-width:1px;border-style:solid;font-weight:600;text-decoration:none')}>${text}</a>`

/** Rows of a text letter in which the values are below each other. */
export function aligned(rows: [label: string, value: string][]): string[] {
  const width = Math.max(...rows.map(([label]) => label.length)) + 2
  return rows.map(([label, value]) => `${label}:`.padEnd(width) + value)
}

/** The lines of an HTML letter that are the same in both kinds. The button is the owner's way into the album. What is for
 *  guests is text without links, and one press selects all of it.
 *  @param name the album's, as it may stand in the letter, as HTML
 *  @param openLink where the button leads
 *  @param moreCounts further rows of the table, as HTML */
export function factsAsHtml(
  { link, password, ...album }: AlbumFacts,
  name: string,
  openLink: string,
  moreCounts: [what: string, count: string][] = [],
): string[] {
  const rows = [...countsOf(album), ...moreCounts].map(
    ([what, count]) =>
      `<tr><td ${colours('soft', 'padding:2px 24px 2px 0')}>${what}</td><td style="text-align:right">${count}</td></tr>`,
  )
  return [
    `<p style="margin:0 0 32px">${button(openLink, texts.open)}</p>`,
    `<h2 style="font-size:17px;margin:0 0 8px">${texts.toShare}</h2>`,
    `<p ${colours('sunken', 'margin:0 0 8px;padding:14px 16px;border-width:1px;border-style:solid;border-radius:10px;word-break:break-word;-webkit-user-select:all;user-select:all')}>${sharedLines(name, escaped(link), escaped(password)).join('<br>')}</p>`,
    small(texts.guests, '0 0 24px'),
    '<table role="presentation" style="border-collapse:collapse;font:inherit">',
    ...rows,
    '</table>',
    ...timeTaken(album).map((sentence) => `<p style="margin:16px 0 0">${sentence}</p>`),
  ]
}

/** A page with the site's name and colours, light or dark as the mail program says. */
export function htmlLetter(heading: string, content: string[], head: string[] = []): string {
  return `${[
    '<!doctype html>',
    `<html lang="${texts.language}">`,
    '<head><meta charset="utf-8"><meta name="viewport" content="width=device-width">',
    ...head,
    '<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">',
    `${SITE_STYLE}</head>`,
    `<body ${colours('page', 'margin:0;padding:0')}>`,
    `<div ${colours('page', `padding:24px 12px;font:${FONT}`)}>`,
    '<div style="max-width:560px;margin:0 auto">',
    `<p style="margin:0 0 16px;font-size:18px;font-weight:700"><span style="display:inline-block;width:14px;height:14px;margin-right:8px;border-radius:4px;background-color:${LIGHT.accent}"></span>${texts.site}</p>`,
    `<div ${colours('card', 'padding:28px 24px;border-width:1px;border-style:solid;border-radius:16px')}>`,
    `<h1 style="font-size:24px;line-height:1.25;margin:0 0 16px">${heading}</h1>`,
    ...content,
    '</div>',
    '</div>',
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
