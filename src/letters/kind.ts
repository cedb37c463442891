import type { AppContext } from '../context.ts'
import type { Album, LetterKind, LetterRow } from '../database/schema.ts'
import type { Content } from './layout.ts'

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

/** For letters that only ask to confirm an address. */
export const REQUESTS: Limits = { kinds: ['confirm-address', 'confirm-news'], aDay: 6, ofAsker: 3 }

/** A letter that is sent now. */
export interface ClaimedLetter {
  letter: LetterRow
  album: Album
  to: string
}

/** A kind of letter. */
export interface Kind {
  /** Whose "This was not me" ends it. */
  reader: 'owner' | 'guest'
  /** Set for letters to the album's own address. They count only while it is not confirmed. */
  limits?: Limits
  /** The shortest time between two of one album, in seconds. */
  pause?: { confirmed: number; unconfirmed: number }
  /** @returns undefined when there is nothing to say any more */
  write(
    deps: Pick<AppContext, 'db' | 'keyring' | 'siteUrl'>,
    claimed: ClaimedLetter,
  ): Promise<(Content & { stopUrl: string }) | undefined>
}
