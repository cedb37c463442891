import { letterParts, unconfirmedLetter as texts } from '../texts/english.ts'
import {
  type AlbumFacts,
  escaped,
  factsAsHtml,
  factsAsText,
  htmlLetter,
  isolated,
  MUTED,
  NO_OWN_LINKS,
} from './letter-parts.ts'
import type { Letter } from './mailer.ts'
import { unlinkableName } from './unlinkable-name.ts'

export interface AlbumReadyForStranger extends AlbumFacts {
  skippedFiles: number
  /** The page that ends all letters about this album. */
  stopLink: string
}

/** The same letter for an address that nobody has confirmed. The person who reads it may not know the owner, so apart
 *  from the link it contains nothing that the owner wrote, except a short name that is no link. */
export function unconfirmedLetter(album: AlbumReadyForStranger): Pick<Letter, 'subject' | 'text' | 'html'> {
  const name = unlinkableName(album.albumName)
  return { subject: texts.subject, text: asText(name, album), html: asHtml(name, album) }
}

function asText(name: string, { skippedFiles, stopLink, ...album }: AlbumReadyForStranger): string {
  const lines = [
    `${texts.subject}.`,
    ...(name ? [letterParts.itsName(isolated(name))] : []),
    '',
    ...factsAsText(album),
    ...(skippedFiles > 0
      ? [`${texts.skipped}: ${letterParts.number(skippedFiles)}`, '', texts.moreLater]
      : []),
    '',
    `${letterParts.notMe}: ${stopLink}`,
    texts.notMe,
  ]
  return `${lines.join('\n')}\n`
}

function asHtml(name: string, { skippedFiles, stopLink, ...album }: AlbumReadyForStranger): string {
  return htmlLetter(
    texts.subject,
    [
      ...(name
        ? [`<p style="margin:0 0 16px">${letterParts.itsName(`<bdi>&quot;${escaped(name)}&quot;</bdi>`)}</p>`]
        : []),
      ...factsAsHtml(album, skippedFiles > 0 ? [[texts.skipped, letterParts.number(skippedFiles)]] : []),
      ...(skippedFiles > 0 ? [`<p style="margin:16px 0 0">${texts.moreLater}</p>`] : []),
      `<p style="margin:32px 0 0;font-size:14px"><span style="${MUTED}">${texts.notMe}</span></p>`,
      `<p style="margin:8px 0 0;font-size:14px"><a href="${escaped(stopLink)}">${letterParts.notMe}</a></p>`,
    ],
    [NO_OWN_LINKS],
  )
}
