import { escaped, htmlLetter, inDigits, isolated, MUTED } from './letter-parts.ts'
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

const SUBJECT = "Guests' wishes about your photo album"
const NOBODY = [
  'Their photos stay in the album. Nobody learns who they are, and this letter',
  'does not say it either.',
]
const HIDING = ['Hidden photos are shown to nobody. You can show them again at any time.']

/** What guests have asked for since the last such letter. It names no guest, and its subject and its name of the album
 *  are safe for an address that nobody has confirmed. */
export function wishesLetter(wishes: GuestsWishes): Pick<Letter, 'subject' | 'text' | 'html'> {
  const name = unlinkableName(wishes.albumName)
  return { subject: SUBJECT, text: asText(name, wishes), html: asHtml(name, wishes) }
}

const taken = ({ guests, faces }: GuestsWishes) =>
  guests === 1
    ? [`A guest does not want to be found any more. ${removed(faces)} from`, 'the search.']
    : [`${inDigits(guests)} guests do not want to be found any more. ${removed(faces)}`, 'from the search.']

const removed = (faces: number) =>
  faces === 1 ? '1 face was removed' : `${inDigits(faces)} faces were removed`

const asks = (photos: number) =>
  `A guest asks you to hide ${photos === 1 ? '1 photo' : `${inDigits(photos)} photos`}.`

function asText(name: string, wishes: GuestsWishes): string {
  const lines = [
    `${SUBJECT}.`,
    ...(name ? [`Its name is ${isolated(name)}.`] : []),
    '',
    ...taken(wishes),
    '',
    ...NOBODY,
    ...wishes.toHide.flatMap(({ photos, yes, no }) => [
      '',
      asks(photos),
      `Yes, hide them: ${yes}`,
      `No, keep them:  ${no}`,
    ]),
    ...(wishes.toHide.length > 0 ? ['', ...HIDING] : []),
    ...(wishes.stopLink ? ['', `This was not me: ${wishes.stopLink}`] : []),
  ]
  return `${lines.join('\n')}\n`
}

function asHtml(name: string, wishes: GuestsWishes): string {
  const link = (address: string, text: string) =>
    `<a href="${escaped(address)}" style="display:inline-block;margin:8px 12px 0 0;padding:10px 18px;border-radius:8px;border:1px solid #4338ca;color:inherit;font-weight:600;text-decoration:none">${text}</a>`
  return htmlLetter(
    SUBJECT,
    [
      ...(name
        ? [`<p style="margin:0 0 16px">Its name is <bdi>&quot;${escaped(name)}&quot;</bdi>.</p>`]
        : []),
      `<p style="margin:0 0 16px">${taken(wishes).join('\n')}</p>`,
      `<p style="margin:0 0 16px">${NOBODY.join('\n')}</p>`,
      ...wishes.toHide.map(
        ({ photos, yes, no }) =>
          `<p style="margin:24px 0 0">${asks(photos)}<br>${link(yes, 'Yes, hide them')}${link(no, 'No, keep them')}</p>`,
      ),
      ...(wishes.toHide.length > 0
        ? [`<p style="margin:16px 0 0;font-size:14px;${MUTED}">${HIDING.join('\n')}</p>`]
        : []),
      ...(wishes.stopLink
        ? [
            `<p style="margin:32px 0 0;font-size:14px"><a href="${escaped(wishes.stopLink)}">This was not me</a></p>`,
          ]
        : []),
    ],
    ['<meta name="format-detection" content="telephone=no,date=no,address=no,email=no,url=no">'],
  )
}
