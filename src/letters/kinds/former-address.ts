import { letterParts, addressLetters as texts } from '../../texts/english/letters.ts'
import type { Kind } from '../kind.ts'
import { type Content, layOut, nameForStranger, plain } from '../layout.ts'
import { stopLinks } from '../links.ts'

/** Tells the former address of an album that letters go to another one now. */
export const formerAddress: Kind = {
  reader: 'owner',
  async write({ keyring, siteUrl }, { album, to }) {
    const { stop, stopUrl } = stopLinks(keyring, siteUrl, { id: album.id, email: to })
    return { ...compose({ albumName: album.display_name, stopLink: stop }), stopUrl }
  },
}

/** It does not say the new address: the reader may be an owner who has handed the album over. */
export function compose({ albumName, stopLink }: { albumName: string; stopLink: string }): Content {
  return layOut(texts.changedSubject, plain(texts.changedSubject), [
    nameForStranger(albumName),
    { part: 'paragraph', words: plain(texts.noMore) },
    { part: 'paragraph', words: plain(texts.notYou) },
    { part: 'link', label: letterParts.notMe, link: stopLink },
  ])
}
