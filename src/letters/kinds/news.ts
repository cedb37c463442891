import { alertLetters as texts } from '../../texts/english/letters.ts'
import type { Kind } from '../kind.ts'
import { around, type Content, layOut, oneLine, plain, quoted } from '../layout.ts'
import { alertLinks, letterLinks } from '../links.ts'

interface NewsData {
  /** As the owner typed it. */
  albumName: string
  /** How many new photos of the guest there are. */
  photos: number
  /** The album. Its password is not in the letter: guests know it. */
  link: string
  /** The page that ends these letters. */
  endLink: string
}

/** Says to a guest how many new photos of them there are. */
export const news: Kind = {
  reader: 'guest',
  async write({ keyring, siteUrl }, { letter, album, to }) {
    const { end, endUrl } = alertLinks(keyring, siteUrl, letter, to)
    const link = letterLinks(keyring, siteUrl, album).plain
    const data = { albumName: album.display_name, photos: letter.photos!, link, endLink: end }
    return { ...compose(data), stopUrl: endUrl }
  },
}

export function compose({ albumName, photos, link, endLink }: NewsData): Content {
  const saying = (name: string) => texts.news(photos, name)
  return layOut(saying(oneLine(albumName)), around(quoted(albumName), saying), [
    { part: 'paragraph', words: plain(texts.password) },
    { part: 'button', label: texts.see, link },
    { part: 'note', words: plain(texts.ending) },
    { part: 'link', label: texts.end, link: endLink },
  ])
}
