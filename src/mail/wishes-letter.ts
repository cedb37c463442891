import { letterParts, wishesLetter as texts } from '../texts/english.ts'
import { aligned, escaped, htmlLetter, isolated, MUTED, NO_OWN_LINKS } from './letter-parts.ts'
import type { Letter } from './mailer.ts'
import { unlinkableName } from './unlinkable-name.ts'

export interface GuestsWishes {
  /** As the owner typed it. */
  albumName: string
  /** How many guests asked, and how many of their faces were removed from the search. */
  guests: number
  faces: number
  /** The photos that guests ask to hide, with the links that answer. */
  toHide: { photos: number; yes: string; no: string }[]
  /** The page that ends all letters about this album; undefined for an address that is confirmed. */
  stopLink?: string | undefined
}

/** What guests have asked for since the last such letter. It names no guest, and its subject and its name of the album
 *  are safe for an address that nobody has confirmed. */
export function wishesLetter(wishes: GuestsWishes): Pick<Letter, 'subject' | 'text' | 'html'> {
  const name = unlinkableName(wishes.albumName)
  return { subject: texts.subject, text: asText(name, wishes), html: asHtml(name, wishes) }
}

function asText(name: string, wishes: GuestsWishes): string {
  const lines = [
    `${texts.subject}.`,
    ...(name ? [letterParts.itsName(isolated(name))] : []),
    '',
    texts.removed(wishes.guests, wishes.faces),
    '',
    texts.nobody,
    ...wishes.toHide.flatMap(({ photos, yes, no }) => [
      '',
      texts.asks(photos),
      ...aligned([
        [texts.yes, yes],
        [texts.no, no],
      ]),
    ]),
    ...(wishes.toHide.length > 0 ? ['', texts.hiding] : []),
    ...(wishes.stopLink ? ['', `${letterParts.notMe}: ${wishes.stopLink}`] : []),
  ]
  return `${lines.join('\n')}\n`
}

function asHtml(name: string, wishes: GuestsWishes): string {
  const link = (address: string, text: string) =>
    `<a href="${escaped(address)}" style="display:inline-block;margin:8px 12px 0 0;padding:10px 18px;border-radius:8px;border:1px solid #4338ca;color:inherit;font-weight:600;text-decoration:none">${text}</a>`
  return htmlLetter(
    texts.subject,
    [
      ...(name
        ? [`<p style="margin:0 0 16px">${letterParts.itsName(`<bdi>&quot;${escaped(name)}&quot;</bdi>`)}</p>`]
        : []),
      `<p style="margin:0 0 16px">${texts.removed(wishes.guests, wishes.faces)}</p>`,
      `<p style="margin:0 0 16px">${texts.nobody}</p>`,
      ...wishes.toHide.map(
        ({ photos, yes, no }) =>
          `<p style="margin:24px 0 0">${texts.asks(photos)}<br>${link(yes, texts.yes)}${link(no, texts.no)}</p>`,
      ),
      ...(wishes.toHide.length > 0
        ? [`<p style="margin:16px 0 0;font-size:14px;${MUTED}">${texts.hiding}</p>`]
        : []),
      ...(wishes.stopLink
        ? [
            `<p style="margin:32px 0 0;font-size:14px"><a href="${escaped(wishes.stopLink)}">${letterParts.notMe}</a></p>`,
          ]
        : []),
    ],
    [NO_OWN_LINKS],
  )
}
