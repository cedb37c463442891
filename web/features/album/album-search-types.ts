import type { PossiblePhoto } from '../../../src/contract/search.ts'
import type { SelfiePatience } from '../photos/use-selfie-patience.ts'
import type { Found, KeptSearch, OtherPerson } from './found.ts'

export interface AlbumEvents {
  /** The session has ended: the password is needed again. */
  onSessionEnded: () => void
  /** The album has been erased. */
  onGone: () => void
}

export interface AlbumSearch {
  /** Null until a search has succeeded. */
  found: Found | null
  isSearching: boolean
  waiting: SelfiePatience['waiting']
  /** Cancels a search that waits. */
  stopWaiting(): void
  hasFailed: boolean
  /** What to do better, when the service could not use the selfies. */
  refusal: string | undefined
  forgetRefusal(): void
  start(selfies: readonly File[]): void
  /** Searches by what this browser has kept of the visitor. */
  startRemembered(searchToken: string): void
  /** Whether the search that is under way, or the last one, was by that. */
  isRemembered: boolean
  /** Searches as before a reload of the page. */
  restore(kept: KeptSearch): void
  /** Whether the search that is under way, or the last one, was as before a reload of the page. */
  isRestored: boolean
  /** Why the last search can no longer be repeated, so that its results are gone. */
  over: string | undefined
  /** Asks for what this browser should keep, which is then in `found`. */
  remember(): void
  isRemembering: boolean
  /** From now on, nothing is kept. */
  stopRemembering(): void
  /** Searches also for a second person, or for one person only. */
  searchWith(other: OtherPerson | undefined): void
  /** Searches for another person in the selfies: by the places of a selfie and of its face. */
  chooseFace(selfie: number, face: number): void
  /** The visitor says whether they are in a photo. After a yes, the search is repeated in the background. */
  answer(photo: PossiblePhoto, isMe: boolean): void
  /** Takes the last answer back. */
  undo(): void
  forget(): void
  /** Loads the next page of photos. Resolves to false when that has failed. */
  loadMore(): Promise<boolean>
  isLoadingMore: boolean
  /** Whether the search is being repeated: the photos' addresses will be fresh. */
  isRenewing: boolean
  /** Whether a search for photos that a confirmed one leads to is due or under way. */
  isFollowingUp: boolean
  /** Repeats the search with the same selfies, in the background. */
  renew(): void
  /** Reports that a photo's address does not load. */
  reportFailure(): void
  /** Renews the addresses if the service refuses them. */
  checkAddresses(): void
}
