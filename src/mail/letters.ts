import { escapeHtml } from '../escape-html.ts'
import type { Letter } from './mailer.ts'

export interface AlbumReady {
  /** As the owner typed it. */
  albumName: string
  /** The album's full address. */
  link: string
  password: string
  photos: number
  faces: number
  photosWithoutFace: number
  /** Files that are not in the album, or that a selfie cannot find, with the reason for each. */
  skipped: { filename: string; reason: string }[]
}

const SKIPPED_LISTED = 50

/** The letter that the owner gets when an upload round is complete. */
export function albumReadyLetter(album: AlbumReady): Omit<Letter, 'id' | 'to'> {
  return {
    subject: `Your album is ready: ${oneLine(album.albumName)}`,
    text: asText(album),
    html: asHtml(album),
  }
}

const INVITATION = [
  'Share the link and the password with your guests. They open the link, enter',
  'the password, upload a selfie and see every photo they are in.',
]

function asText({ albumName, link, password, skipped, ...album }: AlbumReady): string {
  const lines = [
    `Your album ${isolated(albumName)} is ready.`,
    '',
    ...INVITATION,
    '',
    `Link:     ${link}`,
    `Password: ${password}`,
    '',
    ...counts(album).map(([what, count]) => `${what}: ${count}`),
  ]
  if (skipped.length > 0) {
    lines.push('', `${skippedTitle(skipped.length)}:`)
    for (const file of skipped.slice(0, SKIPPED_LISTED))
      lines.push(`- ${isolated(file.filename)}: ${oneLine(file.reason)}`)
    if (skipped.length > SKIPPED_LISTED) lines.push(andMore(skipped.length))
  }
  return `${lines.join('\n')}\n`
}

/** The mail program chooses the background and text colours, light or dark; only the button has its own. */
function asHtml({ albumName, link, password, skipped, ...album }: AlbumReady): string {
  const muted = 'opacity:0.75'
  const rows = counts(album).map(
    ([what, count]) =>
      `<tr><td style="padding:2px 24px 2px 0;${muted}">${what}</td><td style="text-align:right">${count}</td></tr>`,
  )
  const files = skipped
    .slice(0, SKIPPED_LISTED)
    .map(
      ({ filename, reason }) =>
        `<li style="margin:4px 0"><bdi style="font-weight:600;word-break:break-all">${escaped(filename)}</bdi>: ${escaped(reason)}</li>`,
    )
  const list = [
    `<h2 style="font-size:17px;margin:32px 0 8px">${skippedTitle(skipped.length)}</h2>`,
    `<ul style="margin:0;padding-left:20px;font-size:14px">`,
    ...files,
    '</ul>',
    ...(skipped.length > SKIPPED_LISTED
      ? [`<p style="margin:8px 0 0;font-size:14px">${andMore(skipped.length)}</p>`]
      : []),
  ]
  return `${[
    '<!doctype html>',
    '<html lang="en">',
    '<head><meta charset="utf-8"><meta name="viewport" content="width=device-width">',
    '<meta name="color-scheme" content="light dark"></head>',
    '<body style="margin:0;padding:0">',
    '<div style="max-width:560px;margin:0 auto;padding:32px 24px;font:16px/1.5 system-ui,-apple-system,Segoe UI,Roboto,Helvetica,Arial,sans-serif">',
    `<h1 style="font-size:24px;line-height:1.25;margin:0 0 16px">Your album <bdi>${escaped(albumName)}</bdi> is ready</h1>`,
    `<p style="margin:0 0 24px">${INVITATION.join('\n')}</p>`,
    `<p style="margin:0 0 24px"><a href="${escaped(link)}" style="display:inline-block;padding:12px 22px;border-radius:8px;background:#4338ca;color:#ffffff;font-weight:600;text-decoration:none">Open the album</a></p>`,
    `<p style="margin:0 0 4px;${muted}">Link</p>`,
    `<p style="margin:0 0 16px;word-break:break-all">${escaped(link)}</p>`,
    `<p style="margin:0 0 4px;${muted}">Password</p>`,
    `<p style="margin:0 0 24px;font:600 20px/1.3 ui-monospace,Menlo,Consolas,monospace">${escaped(password)}</p>`,
    '<table role="presentation" style="border-collapse:collapse;font:inherit">',
    ...rows,
    '</table>',
    ...(skipped.length > 0 ? list : []),
    '</div>',
    '</body>',
    '</html>',
  ].join('\n')}\n`
}

function counts({
  photos,
  faces,
  photosWithoutFace,
}: Pick<AlbumReady, 'photos' | 'faces' | 'photosWithoutFace'>): [string, string][] {
  const number = (count: number) => count.toLocaleString('en-US')
  return [
    ['Photos', number(photos)],
    ['Faces found', number(faces)],
    ['Photos without a face', number(photosWithoutFace)],
  ]
}

function skippedTitle(count: number): string {
  return `${count.toLocaleString('en-US')} skipped ${count === 1 ? 'file' : 'files'}`
}

function andMore(count: number): string {
  return `…and ${(count - SKIPPED_LISTED).toLocaleString('en-US')} more`
}

/** Replaces line breaks, other control characters and the marks that change the direction of text by spaces. */
function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu, ' ').trim()
}

/** Puts a name in quotes. A name that is not ASCII is wrapped in Unicode isolates, so that a right-to-left name
 *  does not reorder the line around it (UAX 9, §2.4.2). */
function isolated(name: string): string {
  const clean = oneLine(name)
  return /^[ -~]*$/.test(clean) ? `"${clean}"` : `\u2068"${clean}"\u2069`
}

function escaped(text: string): string {
  return escapeHtml(oneLine(text))
}
