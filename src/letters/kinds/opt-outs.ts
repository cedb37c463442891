import { optOutsLetter as texts } from '../../texts/english/letters.ts'
import { optOutsOfLetter } from '../facts-queries.ts'
import type { Kind } from '../kinds.ts'
import { nameForStranger } from '../layout.ts'
import { letterLinks, optOutsLinks } from '../links.ts'

const HOUR = 3_600

/** Tells the owner which guests have opted out since the last such letter: in numbers only. The subject and the name of the album
 *  are safe for an address that nobody has confirmed. */
export const optOuts: Kind = {
  reader: 'owner',
  isToAlbum: true,
  limits: { kinds: ['opt-outs'], aDay: 3 },
  // Many guests do not cause many letters.
  pause: { confirmed: HOUR, unconfirmed: 8 * HOUR },
  async write({ db, keyring, siteUrl }, { letter, album }) {
    const named = await optOutsOfLetter(db, letter)
    if (named.length === 0) return undefined
    const { stop, stopUrl } = letterLinks(keyring, siteUrl, album)
    const { plain, owner } = optOutsLinks(keyring, siteUrl, album)
    const faces = named.reduce((sum, optOut) => sum + optOut.faces, 0)
    const asks = named.flatMap(({ photos_to_hide }) =>
      photos_to_hide ? texts.asks(photos_to_hide.length) : [],
    )
    return {
      subject: texts.subject,
      blocks: [
        nameForStranger(album.display_name),
        texts.hidden(named.length, faces),
        ...asks,
        asks.length > 0 && texts.hiding,
        texts.nobody,
        {
          part: 'choice',
          label: texts.page,
          // What gives the owner's right is behind a button only, and only for an address that is confirmed.
          link: album.address_confirmed_at ? owner : plain,
          textLink: plain,
        },
      ],
      ...(!album.address_confirmed_at && { notMe: stop }),
      stopUrl,
    }
  },
}
