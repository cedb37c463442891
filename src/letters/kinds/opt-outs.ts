import { letterParts, optOutsLetter as texts } from '../../texts/english/letters.ts'
import { optOutsOfLetter } from '../facts-queries.ts'
import type { Kind } from '../kind.ts'
import { type Block, type Content, layOut, nameForStranger, plain } from '../layout.ts'
import { letterLinks, optOutsLinks } from '../links.ts'

export interface OptOutsData {
  /** As the owner typed it. */
  albumName: string
  /** How many guests asked, and how many of their faces are hidden. */
  hidden: { guests: number; faces: number }
  /** Where the owner answers them. It stands as text, so it gives no right. */
  page: string
  /** The same, as the owner. Only a letter to a confirmed address has it, behind a button. */
  ownerPage?: string | undefined
  /** How many photos each guest asks to hide who does. */
  toHide: number[]
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
    const { stop, stopUrl } = letterLinks(keyring, siteUrl, album)
    const page = optOutsLinks(keyring, siteUrl, album)
    const content = compose({
      albumName: album.display_name,
      hidden: countsOf(named),
      page: page.plain,
      ownerPage: album.address_confirmed_at ? page.owner : undefined,
      toHide: named.flatMap(({ photos_to_hide }) => photos_to_hide?.length ?? []),
      stopLink: album.address_confirmed_at ? undefined : stop,
    })
    return { ...content, stopUrl }
  },
}

function countsOf(some: { faces: number }[]): { guests: number; faces: number } {
  return { guests: some.length, faces: some.reduce((sum, { faces }) => sum + faces, 0) }
}

/** Numbers only. The subject and the name of the album are safe for an address that nobody has confirmed. */
export function compose({ albumName, hidden, page, ownerPage, toHide, stopLink }: OptOutsData): Content {
  return layOut(texts.subject, plain(texts.subject), [
    nameForStranger(albumName),
    { part: 'paragraph', words: plain(texts.hidden(hidden.guests, hidden.faces)) },
    ...toHide.map((photos): Block => ({ part: 'paragraph', words: plain(texts.asks(photos)) })),
    toHide.length > 0 && { part: 'paragraph', words: plain(texts.hiding) },
    { part: 'paragraph', words: plain(texts.nobody) },
    { part: 'button', label: texts.page, link: ownerPage ?? page, textLink: page, quiet: true },
    stopLink !== undefined && { part: 'link', label: letterParts.notMe, link: stopLink },
  ])
}
