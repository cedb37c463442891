import type { AppContext } from '../context.ts'
import type { Album, LetterRow } from '../database/schema.ts'
import { confirmAddress, confirmNews } from './kinds/confirmations.ts'
import { erased } from './kinds/erased.ts'
import { formerAddress } from './kinds/former-address.ts'
import { myAlbums } from './kinds/my-albums.ts'
import { news } from './kinds/news.ts'
import { optOuts } from './kinds/opt-outs.ts'
import { ready } from './kinds/ready.ts'
import type { Draft } from './layout.ts'

/** All letters about an album. `ready`: an upload is complete. `confirm-address`: to a new address of the album;
 *  `former-address`: to the one before. `opt-outs`: to the owner. `confirm-news` and `news`: to a guest who wants to know of new
 *  photos. */
export const KINDS = {
  ready,
  'confirm-address': confirmAddress,
  'former-address': formerAddress,
  'opt-outs': optOuts,
  'confirm-news': confirmNews,
  news,
} satisfies Record<string, Kind>

/** All others. `my-albums`: the ways into all albums of an address; `erased`: what an erasure has left. */
export const LOOSE_KINDS = { 'my-albums': myAlbums, erased } satisfies Record<string, LooseKind>

export type AlbumLetterKind = keyof typeof KINDS
type LooseLetterKind = keyof typeof LOOSE_KINDS
export type LetterKind = AlbumLetterKind | LooseLetterKind

export const isLoose = (kind: string): kind is LooseLetterKind => kind in LOOSE_KINDS
export const aboutAlbum = (kind: string): Kind => KINDS[kind as AlbumLetterKind]

/** The kinds of letters to the album's own address. */
export const toAlbum = () => Object.keys(KINDS).filter((kind) => aboutAlbum(kind).isToAlbum)

/** How many letters within any 24 hours go to one mailbox whose address is not confirmed, from all albums together. Each budget
 *  is one of its own, so no kind of letter waits for another. A stranger whose own albums name a mailbox can still use up a
 *  budget: its other letters of these kinds then wait a day. Somebody who never asked for anything gets the sum at most. */
export interface Limits {
  /** The kinds that share the budget. */
  kinds: LetterKind[]
  aDay: number
  /** Of those, the letters of one album. */
  ofAlbum?: number
  /** Of those, the letters that one network has asked for, so that a stranger leaves some for the person. */
  ofAsker?: number
}

/** A letter that is sent now. */
export interface ClaimedLetter {
  letter: LetterRow
  album: Album
  to: string
}

/** What a letter gathers its data with. */
export type Gathering = Pick<AppContext, 'db' | 'keyring' | 'siteUrl'>

/** A kind of letter that belongs to no album. */
export interface LooseKind {
  /** Asked when it is requested. */
  limits?: Limits
  /** @returns undefined when there is nothing to say
   *  @throws AppError SERVICE_UNAVAILABLE when it cannot be said yet */
  write(deps: Gathering, claimed: Omit<ClaimedLetter, 'album'>): Promise<Draft | undefined>
}

/** A kind of letter about an album. */
export interface Kind {
  /** Whose "This was not me" ends it. */
  reader: 'owner' | 'guest'
  /** It goes to the album's own address. */
  isToAlbum?: true
  /** They count only while the album's own address is not confirmed. */
  limits?: Limits
  /** The shortest time between two of one album, in seconds. */
  pause?: { confirmed: number; unconfirmed: number }
  /** @returns undefined when there is nothing to say any more */
  write(deps: Gathering, claimed: ClaimedLetter): Promise<(Draft & { stopUrl: string }) | undefined>
}
