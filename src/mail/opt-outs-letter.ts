import { letterParts, optOutsLetter as texts } from '../texts/english.ts'
import { escaped, htmlLetter, isolated, NO_OWN_LINKS, quietButton } from './letter-parts.ts'
import type { Letter } from './mailer.ts'
import { unlinkableName } from './unlinkable-name.ts'

export interface OptOutsForOwner {
  /** As the owner typed it. */
  albumName: string
  /** How many guests asked, and how many of their faces are hidden. */
  hidden: { guests: number; faces: number }
  /** The page on which the owner answers. */
  page: string
  /** How many photos each guest asks to hide who does. */
  toHide: number[]
  /** The page that ends all letters about this album; undefined for an address that is confirmed. */
  stopLink?: string | undefined
}

/** Which guests have opted out since the last such letter: numbers only. Its subject and its name of the album are safe for
 *  an address that nobody has confirmed. */
export function optOutsLetter(optOuts: OptOutsForOwner): Pick<Letter, 'subject' | 'text' | 'html'> {
  const name = unlinkableName(optOuts.albumName)
  return { subject: texts.subject, text: asText(name, optOuts), html: asHtml(name, optOuts) }
}

/** What it says before the link to the page. */
const sentencesOf = ({ hidden, toHide }: OptOutsForOwner) => [
  texts.hidden(hidden.guests, hidden.faces),
  ...(toHide.length > 0 ? [...toHide.map(texts.asks), texts.hiding] : []),
  texts.nobody,
]

function asText(name: string, optOuts: OptOutsForOwner): string {
  const { stopLink, page } = optOuts
  const lines = [
    `${texts.subject}.`,
    ...(name ? [letterParts.itsName(isolated(name))] : []),
    ...sentencesOf(optOuts).flatMap((sentence) => ['', sentence]),
    '',
    `${texts.page}: ${page}`,
    ...(stopLink ? ['', `${letterParts.notMe}: ${stopLink}`] : []),
  ]
  return `${lines.join('\n')}\n`
}

function asHtml(name: string, optOuts: OptOutsForOwner): string {
  const { stopLink, page } = optOuts
  return htmlLetter(
    texts.subject,
    [
      ...(name
        ? [`<p style="margin:0 0 16px">${letterParts.itsName(`<bdi>&quot;${escaped(name)}&quot;</bdi>`)}</p>`]
        : []),
      ...sentencesOf(optOuts).map((sentence) => `<p style="margin:0 0 16px">${sentence}</p>`),
      `<p style="margin:0 0 16px">${quietButton(page, texts.page)}</p>`,
      ...(stopLink
        ? [
            `<p style="margin:32px 0 0;font-size:14px"><a href="${escaped(stopLink)}">${letterParts.notMe}</a></p>`,
          ]
        : []),
    ],
    [NO_OWN_LINKS],
  )
}
