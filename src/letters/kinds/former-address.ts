import { addressLetters as texts } from '../../texts/english/letters.ts'
import type { Kind } from '../kinds.ts'
import { nameForStranger } from '../layout.ts'
import { stopLinks } from '../links.ts'

/** Tells the former address of an album that letters go to another one now. It does not say the new address: the reader may be an
 *  owner who has handed the album over. */
export const formerAddress: Kind = {
  reader: 'owner',
  async write({ keyring, siteUrl }, { album, to }) {
    const { stop, stopUrl } = stopLinks(keyring, siteUrl, { id: album.id, email: to })
    const blocks = [nameForStranger(album.display_name), texts.noMore, texts.notYou]
    return { subject: texts.changedSubject, blocks, notMe: stop, stopUrl }
  },
}
