import { myAlbumsLetter as texts } from '../../texts/english/letters.ts'
import { albumsOfAddress } from '../facts-queries.ts'
import type { LooseKind } from '../kind.ts'
import { type Block, type Content, foreign, layOut, plain } from '../layout.ts'
import { hasEndedLetters } from '../limits.ts'
import { returnLink } from '../links.ts'
import { unlinkableName } from '../unlinkable-name.ts'

/** The newest ones. */
const ALBUMS_LISTED = 50

/** Brings an organiser the ways into all their albums. */
export const myAlbums: LooseKind = {
  async write({ db, keyring, siteUrl }, { to }) {
    const albums = await albumsOfAddress(db, to, ALBUMS_LISTED)
    const hasEnded = await Promise.all(albums.map((album) => hasEndedLetters(db, keyring, album)))
    const listed = albums.filter((_, index) => !hasEnded[index])
    if (listed.length === 0) return undefined
    return compose(
      listed.map((album) => ({
        // Who reads the letter may not know who has chosen the name.
        name: album.address_confirmed_at ? album.display_name : unlinkableName(album.display_name),
        createdAt: album.created_at,
        link: returnLink(keyring, siteUrl, album),
      })),
    )
  },
}

interface ListedAlbum {
  name: string
  createdAt: Date
  /** Gives the rights of the organiser. */
  link: string
}

export function compose(albums: ListedAlbum[]): Content {
  return layOut(texts.subject, plain(texts.subject), [
    { part: 'paragraph', words: plain(texts.asked) },
    ...albums.flatMap(({ name, createdAt, link }): Block[] => [
      { part: 'paragraph', words: foreign(texts.album(name, createdAt)) },
      { part: 'button', label: texts.open, link, quiet: true },
    ]),
    { part: 'note', words: plain(texts.notAsked) },
  ])
}
