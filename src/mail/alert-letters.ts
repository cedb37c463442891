import { letterParts, alertLetters as texts } from '../texts/english.ts'
import { button, escaped, htmlLetter, isolated, MUTED, NO_OWN_LINKS, oneLine } from './letter-parts.ts'
import type { Letter } from './mailer.ts'
import { unlinkableName } from './unlinkable-name.ts'

type Content = Pick<Letter, 'subject' | 'text' | 'html'>

/** The letter that asks a guest to confirm an address. Anybody may have entered it, so the letter has a fixed subject, and
 *  nothing that the owner or the guest wrote except a short name that is no link.
 *  @param links the pages that confirm the address, and that say it was somebody else */
export function confirmAlertLetter({
  albumName,
  confirmLink,
  refuseLink,
}: {
  albumName: string
  confirmLink: string
  refuseLink: string
}): Content {
  const name = unlinkableName(albumName)
  const text = [
    texts.asked,
    ...(name ? [texts.albumName(isolated(name))] : []),
    '',
    `${texts.yes}: ${confirmLink}`,
    '',
    `${letterParts.notMe}: ${refuseLink}`,
    texts.notAsked,
  ]
  const html = htmlLetter(
    texts.confirmSubject,
    [
      `<p style="margin:0 0 16px">${texts.asked}</p>`,
      ...(name
        ? [`<p style="margin:0 0 16px">${texts.albumName(`<bdi>&quot;${escaped(name)}&quot;</bdi>`)}</p>`]
        : []),
      `<p style="margin:24px 0">${button(confirmLink, texts.yes)}</p>`,
      `<p style="margin:32px 0 0;font-size:14px"><span style="${MUTED}">${texts.notAsked}</span></p>`,
      `<p style="margin:8px 0 0;font-size:14px"><a href="${escaped(refuseLink)}">${letterParts.notMe}</a></p>`,
    ],
    [NO_OWN_LINKS],
  )
  return { subject: texts.confirmSubject, text: `${text.join('\n')}\n`, html }
}

export interface News {
  /** As the owner typed it. */
  albumName: string
  /** How many new photos of the guest there are. */
  photos: number
  /** The album. Its password is not in the letter: guests know it. */
  link: string
  /** The page that ends these letters. */
  endLink: string
}

/** The letter that says to a guest how many new photos there are. */
export function newsLetter({ albumName, photos, link, endLink }: News): Content {
  const text = [
    `${texts.news(photos, isolated(albumName))}.`,
    '',
    `${texts.see}: ${link}`,
    '',
    texts.password,
    '',
    texts.ending,
    endLink,
  ]
  const html = htmlLetter(texts.news(photos, `<bdi>${escaped(albumName)}</bdi>`), [
    `<p style="margin:0 0 16px">${texts.password}</p>`,
    `<p style="margin:24px 0">${button(link, texts.see)}</p>`,
    `<p style="margin:32px 0 0;font-size:14px"><span style="${MUTED}">${texts.ending}</span></p>`,
    `<p style="margin:8px 0 0;font-size:14px"><a href="${escaped(endLink)}">${texts.end}</a></p>`,
  ])
  return { subject: texts.news(photos, oneLine(albumName)), text: `${text.join('\n')}\n`, html }
}
