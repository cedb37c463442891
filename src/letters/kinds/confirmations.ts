import { addressLetters, alertLetters, letterParts } from '../../texts/english/letters.ts'
import type { Kind, Limits } from '../kinds.ts'
import { type Draft, nameForStranger } from '../layout.ts'
import { addressLink, alertLinks, stopLinks } from '../links.ts'

const REQUESTS: Limits = { kinds: ['confirm-address', 'confirm-news'], aDay: 6, ofAsker: 3 }

/** Asks a new address of an album to confirm that letters may go to it. The owner does not learn whether its reader has
 *  refused them. */
export const confirmAddress: Kind = {
  reader: 'owner',
  limits: REQUESTS,
  async write({ keyring, siteUrl }, { letter, album, to }) {
    const there = { ...album, email: to }
    const { stop, stopUrl } = stopLinks(keyring, siteUrl, there)
    const link = addressLink(keyring, siteUrl, there, letter.id)
    return { ...asking(album.display_name, addressLetters, link), notMe: stop, stopUrl }
  },
}

/** Asks a guest to confirm the address to which letters about new photos would go. */
export const confirmNews: Kind = {
  reader: 'guest',
  limits: REQUESTS,
  async write({ keyring, siteUrl }, { letter, album, to }) {
    const { confirm, refuse, refuseUrl } = alertLinks(keyring, siteUrl, letter, to)
    return { ...asking(album.display_name, alertLetters, confirm), notMe: refuse, stopUrl: refuseUrl }
  },
}

/** Anybody may have entered the address, so the letter has a fixed subject, and nothing that a stranger wrote except a short name
 *  that is no link. */
function asking(
  albumName: string,
  texts: { asked: string; yes: string; notAsked: string },
  link: string,
): Draft {
  return {
    subject: letterParts.confirmSubject,
    blocks: [
      texts.asked,
      nameForStranger(albumName),
      { part: 'button', label: texts.yes, link },
      { part: 'note', words: texts.notAsked },
    ],
  }
}
