import type { oas31 } from 'zod-openapi'
import { albumNotFound, ownerOnly, passwordNeeded } from '../albums/access.ts'
import { RATE_LIMITS, tooManyCalls } from '../albums/rate-limits.ts'
import type { AppError } from '../errors.ts'
import { submissionGone } from '../search/submission-retention.ts'
import type { Caller } from './call-docs.ts'
import { MAINTAINER_ONLY } from './maintainer.ts'

interface CallerDocs {
  /** Who may make the call, in one sentence. */
  rule: string
  security: oas31.SecurityRequirementObject[]
  /** The errors that everybody else gets. */
  errors: AppError[]
}

/** How the OpenAPI document describes the callers. An owner key is in the address or the form. OpenAPI has no security
 *  scheme for that, so `{}` says that the call is also possible without the other schemes. */
export const CALLERS: Record<Caller, CallerDocs> = {
  anyone: { rule: 'Open to anyone.', security: [], errors: [] },
  visitor: {
    rule: 'Open to anyone. The answer depends on the session, if the call has one.',
    security: [{ session: [] }, {}],
    errors: [],
  },
  guest: {
    rule: 'For a session that has entered the album, or created it.',
    security: [{ session: [] }],
    errors: [passwordNeeded(), albumNotFound(), tooManyCalls(RATE_LIMITS.unknownName)],
  },
  guestOrOwner: {
    rule: 'For the holder of the owner key, or a session that has entered the album or created it.',
    security: [{ session: [] }, {}],
    errors: [passwordNeeded(), albumNotFound()],
  },
  owner: {
    rule: 'For the holder of the owner key, or a session of the owner.',
    security: [{ session: [] }, {}],
    errors: [passwordNeeded(), ownerOnly(), albumNotFound()],
  },
  submitter: {
    rule: 'For anyone who has the id of the submission. The id cannot be guessed.',
    security: [],
    errors: [submissionGone()],
  },
  maintainer: {
    rule: 'For the maintainer: any user name with ADMIN_TOKEN as the password, or a session that a set-up link has opened. Only wrong tokens count towards the limit.',
    security: [{ maintainer: [] }, { session: [] }],
    errors: [
      ...Object.values(MAINTAINER_ONLY).map((error) => error()),
      tooManyCalls(RATE_LIMITS.wrongSecret),
    ],
  },
}
