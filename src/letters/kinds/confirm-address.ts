import { addressLetters, letterParts } from '../../texts/english/letters.ts'
import { type Kind, REQUESTS } from '../kind.ts'
import { type Content, layOut, nameForStranger, plain } from '../layout.ts'
import { addressLink, stopLinks } from '../links.ts'

/** What is asked for. */
interface Request {
  confirmSubject: string
  asked: string
  yes: string
  notAsked: string
}

interface ConfirmData {
  /** As the owner typed it. */
  albumName: string
  confirmLink: string
  /** The page that says it was somebody else. */
  stopLink: string
}

/** Asks a new address of an album to confirm that letters may go to it. The owner does not learn whether its reader has
 *  refused them. */
export const confirmAddress: Kind = {
  reader: 'owner',
  limits: REQUESTS,
  async write({ keyring, siteUrl }, { letter, album, to }) {
    const { stop, stopUrl } = stopLinks(keyring, siteUrl, { id: album.id, email: to })
    const confirmLink = addressLink(keyring, siteUrl, album, { letterId: letter.id, email: to })
    const data = { albumName: album.display_name, confirmLink, stopLink: stop }
    return { ...compose(addressLetters, data), stopUrl }
  },
}

/** Anybody may have entered the address, so the letter has a fixed subject, and nothing that a stranger wrote except a short name
 *  that is no link. */
export function compose(texts: Request, { albumName, confirmLink, stopLink }: ConfirmData): Content {
  return layOut(texts.confirmSubject, plain(texts.confirmSubject), [
    { part: 'paragraph', words: plain(texts.asked) },
    nameForStranger(albumName),
    { part: 'button', label: texts.yes, link: confirmLink },
    { part: 'note', words: plain(texts.notAsked) },
    { part: 'link', label: letterParts.notMe, link: stopLink },
  ])
}
