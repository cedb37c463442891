import { letterParts, myAlbumsLetter as texts } from '../../texts/english/letters.ts'
import { albumsOfAddress } from '../facts-queries.ts'
import type { LooseKind } from '../kinds.ts'
import type { Block } from '../layout.ts'
import { hasEndedLetters } from '../limits.ts'
import { returnLink } from '../links.ts'
import { unlinkableName } from '../unlinkable-name.ts'

/** The newest ones. */
const ALBUMS_LISTED = 50

/** Brings an organiser the ways into all their albums. Anybody may ask for it. */
export const myAlbums: LooseKind = {
  limits: { kinds: ['my-albums'], aDay: 5, ofAsker: 3 },
  async write({ db, keyring, siteUrl }, { to }) {
    const albums = await albumsOfAddress(db, to, ALBUMS_LISTED)
    const hasEnded = await Promise.all(albums.map((album) => hasEndedLetters(db, keyring, album)))
    const listed = albums.filter((_, index) => !hasEnded[index])
    if (listed.length === 0) return undefined
    const ways = listed.flatMap((album): Block[] => {
      // Who reads the letter may not know who has chosen the name.
      const name = album.address_confirmed_at ? album.display_name : unlinkableName(album.display_name)
      return [
        { part: 'line', words: texts.album(name, album.created_at) },
        { part: 'choice', label: letterParts.openAsOrganiser, link: returnLink(keyring, siteUrl, album) },
      ]
    })
    return { subject: texts.subject, blocks: [texts.asked, ...ways, { part: 'note', words: texts.notAsked }] }
  },
}
