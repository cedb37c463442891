import { alertLetters as texts } from '../texts/english.ts'
import type { Content } from './confirm-letter.ts'
import { button, escaped, htmlLetter, isolated, oneLine, small } from './letter-parts.ts'

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
    small(texts.ending, '32px 0 0'),
    `<p style="margin:8px 0 0;font-size:14px"><a href="${escaped(endLink)}">${texts.end}</a></p>`,
  ])
  return { subject: texts.news(photos, oneLine(albumName)), text: `${text.join('\n')}\n`, html }
}
