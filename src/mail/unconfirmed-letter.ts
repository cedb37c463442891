import { letterParts, unconfirmedLetter as texts } from '../texts/english.ts'
import {
  type AlbumFacts,
  escaped,
  factsAsHtml,
  factsAsText,
  htmlLetter,
  isolated,
  NO_OWN_LINKS,
  small,
} from './letter-parts.ts'
import type { Letter } from './mailer.ts'
import { unlinkableName } from './unlinkable-name.ts'

export interface AlbumReadyForStranger extends AlbumFacts {
  /** The album. Opening it confirms the address, so it is not for guests. */
  ownLink: string
  skippedFiles: number
  /** The page that ends all letters about this album. */
  stopLink: string
}

/** The same letter for an address that nobody has confirmed. The person who reads it may not know the owner, so apart
 *  from its links it contains nothing that the owner wrote, except a short name that is no link. */
export function unconfirmedLetter(album: AlbumReadyForStranger): Pick<Letter, 'subject' | 'text' | 'html'> {
  const name = unlinkableName(album.albumName)
  return { subject: texts.subject, text: asText(name, album), html: asHtml(name, album) }
}

function asText(name: string, { skippedFiles, stopLink, ownLink, ...album }: AlbumReadyForStranger): string {
  const safeName = name && isolated(name)
  const lines = [
    `${texts.subject}.`,
    ...(name ? [letterParts.itsName(safeName)] : []),
    '',
    `${texts.own}:`,
    ownLink,
    '',
    ...factsAsText(album, safeName),
    ...(skippedFiles > 0
      ? [`${texts.skipped}: ${letterParts.number(skippedFiles)}`, '', texts.moreLater]
      : []),
    '',
    `${letterParts.notMe}: ${stopLink}`,
    texts.notMe,
  ]
  return `${lines.join('\n')}\n`
}

function asHtml(name: string, { skippedFiles, stopLink, ownLink, ...album }: AlbumReadyForStranger): string {
  const safeName = name && `<bdi>&quot;${escaped(name)}&quot;</bdi>`
  return htmlLetter(
    texts.subject,
    [
      ...(name ? [`<p style="margin:0 0 16px">${letterParts.itsName(safeName)}</p>`] : []),
      ...factsAsHtml(
        album,
        safeName,
        ownLink,
        skippedFiles > 0 ? [[texts.skipped, letterParts.number(skippedFiles)]] : [],
      ),
      ...(skippedFiles > 0 ? [`<p style="margin:16px 0 0">${texts.moreLater}</p>`] : []),
      small(texts.notMe, '32px 0 0'),
      `<p style="margin:8px 0 0;font-size:14px"><a href="${escaped(stopLink)}">${letterParts.notMe}</a></p>`,
    ],
    [NO_OWN_LINKS],
  )
}
