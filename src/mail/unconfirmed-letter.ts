import {
  type AlbumFacts,
  escaped,
  factsAsHtml,
  factsAsText,
  htmlLetter,
  inDigits,
  isolated,
  MUTED,
} from './letter-parts.ts'
import type { Letter } from './mailer.ts'
import { unlinkableName } from './unlinkable-name.ts'

export interface AlbumReadyForStranger extends AlbumFacts {
  skippedFiles: number
  /** The page that ends all letters about this album. */
  stopLink: string
}

const SUBJECT = 'Your photo album is ready'
const NOT_ME = [
  'If you did not create this album, somebody else has entered your address. The',
  'link "This was not me" ends all letters about this album.',
]
const MORE_LATER = [
  'After you have opened the album with the link above, letters also name the',
  'skipped files.',
]

/** The same letter for an address that nobody has confirmed. The person who reads it may not know the owner, so apart
 *  from the link it contains nothing that the owner wrote, except a short name that is no link. */
export function unconfirmedLetter(album: AlbumReadyForStranger): Pick<Letter, 'subject' | 'text' | 'html'> {
  const name = unlinkableName(album.albumName)
  return { subject: SUBJECT, text: asText(name, album), html: asHtml(name, album) }
}

function asText(name: string, { skippedFiles, stopLink, ...album }: AlbumReadyForStranger): string {
  const lines = [
    `${SUBJECT}.`,
    ...(name ? [`Its name is ${isolated(name)}.`] : []),
    '',
    ...factsAsText(album),
    ...(skippedFiles > 0 ? [`Skipped files: ${inDigits(skippedFiles)}`, '', ...MORE_LATER] : []),
    '',
    `This was not me: ${stopLink}`,
    ...NOT_ME,
  ]
  return `${lines.join('\n')}\n`
}

function asHtml(name: string, { skippedFiles, stopLink, ...album }: AlbumReadyForStranger): string {
  return htmlLetter(
    SUBJECT,
    [
      ...(name
        ? [`<p style="margin:0 0 16px">Its name is <bdi>&quot;${escaped(name)}&quot;</bdi>.</p>`]
        : []),
      ...factsAsHtml(album, skippedFiles > 0 ? [['Skipped files', inDigits(skippedFiles)]] : []),
      ...(skippedFiles > 0 ? [`<p style="margin:16px 0 0">${MORE_LATER.join('\n')}</p>`] : []),
      `<p style="margin:32px 0 0;font-size:14px"><span style="${MUTED}">${NOT_ME.join('\n')}</span></p>`,
      `<p style="margin:8px 0 0;font-size:14px"><a href="${escaped(stopLink)}">This was not me</a></p>`,
    ],
    // Apple's mail programs then make no links of dates, addresses and numbers in the name.
    ['<meta name="format-detection" content="telephone=no,date=no,address=no,email=no,url=no">'],
  )
}
