import { readyLetter as texts } from '../texts/english.ts'
import {
  type AlbumFacts,
  button,
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
  /** The private link. It is behind a button only, so an owner who copies the text for guests does not copy it. */
  ownerLink: string
}

const SKIPPED_LISTED = 50

/** The letter that the owner gets when an upload round is complete. */
export function albumReadyLetter(album: AlbumReady): Pick<Letter, 'subject' | 'text' | 'html'> {
  return {
    subject: texts.subject(oneLine(album.albumName)),
    text: asText(album),
    html: htmlLetter(texts.heading(nameAsHtml(album)), [
      ...factsAsHtml(album, nameAsHtml(album), album.link),
      ...(album.skipped.length > 0 ? skippedAsHtml(album.skipped) : []),
      `<p style="margin:32px 0 12px">${texts.own}</p>`,
      `<p style="margin:0">${button(album.ownerLink, texts.openAsOrganiser)}</p>`,
    ]),
  }
}

const nameAsHtml = ({ albumName }: AlbumReady) => `<bdi>${escaped(albumName)}</bdi>`

function asText({ skipped, ...album }: AlbumReady): string {
  const name = isolated(album.albumName)
  const lines = [`${texts.heading(name)}.`, '', ...factsAsText(album, name)]
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
