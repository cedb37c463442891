import { letterParts, optOutsLetter as texts } from '../../texts/english.ts'
import { optOutsOfLetter } from '../facts-queries.ts'
import type { Kind } from '../kind.ts'
import { type Block, type Content, layOut, nameForStranger, plain } from '../layout.ts'
import { hideLinks, letterLinks, optOutsLink } from '../links.ts'

export interface OptOutsData {
  /** As the owner typed it. */
  albumName: string
  /** The opt-outs that hide faces: how many guests asked, and how many of their faces are hidden. */
  hidden: { guests: number; faces: number }
  /** Those that wait for the owner's yes. */
  waiting: { guests: number; faces: number }
  /** The page on which the owner answers them. */
  page: string
  /** The photos that guests ask to hide, with the links that answer. */
  toHide: { photos: number; yes: string; no: string }[]
  /** The page that ends all letters about this album; undefined for an address that is confirmed. */
  stopLink?: string | undefined
}

const HOUR = 3_600

/** Tells the owner which guests have opted out since the last such letter. */
export const optOuts: Kind = {
  reader: 'owner',
  limits: { kinds: ['opt-outs'], aDay: 3 },
  // Many guests do not cause many letters.
  pause: { confirmed: HOUR, unconfirmed: 8 * HOUR },
  async write({ db, keyring, siteUrl }, { letter, album }) {
    const named = await optOutsOfLetter(db, letter)
    if (named.length === 0) return undefined
    const waiting = named.filter(({ state }) => state === 'waiting')
    const { stop, stopUrl } = letterLinks(keyring, siteUrl, album)
    const content = compose({
      albumName: album.display_name,
      hidden: countsOf(named.filter((optOut) => !waiting.includes(optOut))),
      waiting: countsOf(waiting),
      page: optOutsLink(keyring, siteUrl, album),
      toHide: named.flatMap(({ id, photos_to_hide: photos }) =>
        photos ? [{ photos: photos.length, ...hideLinks(keyring, siteUrl, album, id) }] : [],
      ),
      stopLink: album.address_confirmed_at ? undefined : stop,
    })
    return { ...content, stopUrl }
  },
}

function countsOf(some: { faces: number }[]): { guests: number; faces: number } {
  return { guests: some.length, faces: some.reduce((sum, { faces }) => sum + faces, 0) }
}

/** Numbers only. The subject and the name of the album are safe for an address that nobody has confirmed. */
export function compose({ albumName, hidden, waiting, page, toHide, stopLink }: OptOutsData): Content {
  return layOut(texts.subject, plain(texts.subject), [
    nameForStranger(albumName),
    hidden.guests > 0 && { part: 'paragraph', words: plain(texts.hidden(hidden.guests, hidden.faces)) },
    waiting.guests > 0 && { part: 'paragraph', words: plain(texts.waiting(waiting.guests, waiting.faces)) },
    { part: 'paragraph', words: plain(texts.nobody) },
    { part: 'button', label: texts.page, link: page, quiet: true },
    ...toHide.flatMap(({ photos, yes, no }): Block[] => [
      { part: 'paragraph', words: plain(texts.asks(photos)) },
      { part: 'button', label: texts.yes, link: yes, quiet: true },
      { part: 'button', label: texts.no, link: no, quiet: true },
    ]),
    toHide.length > 0 && { part: 'note', words: plain(texts.hiding) },
    stopLink !== undefined && { part: 'link', label: letterParts.notMe, link: stopLink },
  ])
}
