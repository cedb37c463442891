import type { Grant } from '../albums/access.ts'
import type { CountedVisitor } from '../albums/guest-counts.ts'

/** The client that makes a call. */
export interface Visitor extends CountedVisitor {
  addGrant(grant: Grant): void
  /** Replaces the session by a new one with these grants. The caller ends the former session first. */
  startSession(grants: Grant[]): void
  /** Forgets all rights, the maintainer's, too. The caller ends the session first. */
  endSession(): void
  /** The network that the call comes from, as it is counted: see `callerNetwork` in src/http. Not to be logged. */
  address: string
  /** The id of a session with a grant, or with the maintainer's rights. It does not change while the session lasts. */
  sessionId: string | undefined
  /** A set-up link has given the session the maintainer's rights, for a day. */
  isMaintainer: boolean
  becomeMaintainer(): void
  authorization: string | undefined
}
