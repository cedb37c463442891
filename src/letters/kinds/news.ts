import { alertLetters as texts } from '../../texts/english/letters.ts'
import type { Kind } from '../kinds.ts'
import { alertLinks, letterLinks } from '../links.ts'

/** Says to a guest how many new photos of them there are. The password of the album is not in it: guests know it. */
export const news: Kind = {
  reader: 'guest',
  async write({ keyring, siteUrl }, { letter, album, to }) {
    const { end, endUrl } = alertLinks(keyring, siteUrl, letter, to)
    const name = album.display_name
    const say = (quoted: string) => texts.news(letter.photos!, quoted)
    return {
      subject: say(name),
      heading: { name, say },
      blocks: [
        texts.password,
        { part: 'button', label: texts.see, link: letterLinks(keyring, siteUrl, album).plain },
        { part: 'note', words: texts.ending },
        { part: 'link', label: texts.end, link: end },
      ],
      stopUrl: endUrl,
    }
  },
}
