import { letterParts } from '../texts/english.ts'
import { button, escaped, htmlLetter, isolated, NO_OWN_LINKS, small } from './letter-parts.ts'
import type { Letter } from './mailer.ts'
import { unlinkableName } from './unlinkable-name.ts'

export type Content = Pick<Letter, 'subject' | 'text' | 'html'>

/** A letter that asks to confirm an address. Anybody may have entered the address, so the letter has a fixed subject, and
 *  nothing that a stranger wrote except a short name that is no link.
 *  @param texts what is asked for
 *  @param links the pages that confirm the address, and that say it was somebody else */
export function confirmLetter(
  texts: { confirmSubject: string; asked: string; yes: string; notAsked: string },
  { albumName, confirmLink, stopLink }: { albumName: string; confirmLink: string; stopLink: string },
): Content {
  const name = unlinkableName(albumName)
  const text = [
    texts.asked,
    ...(name ? [letterParts.ofAlbum(isolated(name))] : []),
    '',
    `${texts.yes}: ${confirmLink}`,
    '',
    `${letterParts.notMe}: ${stopLink}`,
    texts.notAsked,
  ]
  const html = htmlLetter(
    texts.confirmSubject,
    [
      `<p style="margin:0 0 16px">${texts.asked}</p>`,
      ...nameAsHtml(name),
      `<p style="margin:24px 0">${button(confirmLink, texts.yes)}</p>`,
      small(texts.notAsked, '32px 0 0'),
      `<p style="margin:8px 0 0;font-size:14px"><a href="${escaped(stopLink)}">${letterParts.notMe}</a></p>`,
    ],
    [NO_OWN_LINKS],
  )
  return { subject: texts.confirmSubject, text: `${text.join('\n')}\n`, html }
}

export function nameAsHtml(name: string): string[] {
  if (!name) return []
  return [`<p style="margin:0 0 16px">${letterParts.ofAlbum(`<bdi>&quot;${escaped(name)}&quot;</bdi>`)}</p>`]
}
