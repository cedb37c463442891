import { readyLetter as texts } from '../texts/english.ts'
import {
  type AlbumFacts,
  escaped,
  factsAsHtml,
  factsAsText,
  htmlLetter,
  isolated,
  oneLine,
} from './letter-parts.ts'
import type { Letter } from './mailer.ts'

export interface AlbumReady extends AlbumFacts {
  /** Files that are not in the album, or that a selfie cannot find, with the reason for each. */
  skipped: { filename: string; reason: string }[]
}

const SKIPPED_LISTED = 50

/** The letter that the owner gets when an upload round is complete. */
export function albumReadyLetter(album: AlbumReady): Pick<Letter, 'subject' | 'text' | 'html'> {
  return {
    subject: texts.subject(oneLine(album.albumName)),
    text: asText(album),
    html: htmlLetter(texts.heading(`<bdi>${escaped(album.albumName)}</bdi>`), [
      ...factsAsHtml(album),
      ...(album.skipped.length > 0 ? skippedAsHtml(album.skipped) : []),
    ]),
  }
}

function asText({ skipped, ...album }: AlbumReady): string {
  const lines = [`${texts.heading(isolated(album.albumName))}.`, '', ...factsAsText(album)]
  if (skipped.length > 0) {
    lines.push('', `${texts.skipped(skipped.length)}:`)
    for (const file of skipped.slice(0, SKIPPED_LISTED))
      lines.push(`- ${isolated(file.filename)}: ${oneLine(file.reason)}`)
    if (skipped.length > SKIPPED_LISTED) lines.push(texts.more(skipped.length - SKIPPED_LISTED))
  }
  return `${lines.join('\n')}\n`
}

function skippedAsHtml(skipped: AlbumReady['skipped']): string[] {
  const files = skipped
    .slice(0, SKIPPED_LISTED)
    .map(
      ({ filename, reason }) =>
        `<li style="margin:4px 0"><bdi style="font-weight:600;word-break:break-all">${escaped(filename)}</bdi>: ${escaped(reason)}</li>`,
    )
  return [
    `<h2 style="font-size:17px;margin:32px 0 8px">${texts.skipped(skipped.length)}</h2>`,
    `<ul style="margin:0;padding-left:20px;font-size:14px">`,
    ...files,
    '</ul>',
    ...(skipped.length > SKIPPED_LISTED
      ? [`<p style="margin:8px 0 0;font-size:14px">${texts.more(skipped.length - SKIPPED_LISTED)}</p>`]
      : []),
  ]
}
