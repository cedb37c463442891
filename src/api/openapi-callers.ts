import type { oas31 } from 'zod-openapi'
import { albumNotFound } from '../albums/access.ts'
import { AppError } from '../errors.ts'

const passwordNeeded = new AppError('UNAUTHORIZED', 'Please enter the album password first')
export const ownerOnly = new AppError('FORBIDDEN', "Only the album's owner can do this")

export type Caller = 'anyone' | 'visitor' | 'guest' | 'guestOrOwner' | 'owner' | 'submitter' | 'maintainer'

interface Rule {
  /** The rule in words. */
  rule: string
  security: oas31.SecurityRequirementObject[]
  /** What everybody else is answered. */
  errors: AppError[]
}

/** Who may make a call. An owner key stands in the address or the form, which OpenAPI has no security scheme
 *  for: `{}` says that a call can do without the others. */
export const CALLERS: Record<Caller, Rule> = {
  anyone: { rule: 'Open to anyone.', security: [], errors: [] },
  visitor: {
    rule: 'Open to anyone. A session that comes with the call counts.',
    security: [{ session: [] }, {}],
    errors: [],
  },
  guest: {
    rule: 'For a session that has entered the album, or created it.',
    security: [{ session: [] }],
    errors: [passwordNeeded, albumNotFound()],
  },
  guestOrOwner: {
    rule: 'For the holder of the owner key, or a session that has entered the album or created it.',
    security: [{ session: [] }, {}],
    errors: [passwordNeeded, albumNotFound()],
  },
  owner: {
    rule: 'For the holder of the owner key, or the session that created the album.',
    security: [{ session: [] }, {}],
    errors: [passwordNeeded, ownerOnly, albumNotFound()],
  },
  submitter: {
    rule: 'For whoever holds the id of the submission, which cannot be guessed.',
    security: [],
    errors: [new AppError('NOT_FOUND', 'These results are no longer available')],
  },
  maintainer: {
    rule: 'For calls from the machine itself, and for the maintainer: any user name with ADMIN_TOKEN as the password.',
    security: [{ maintainer: [] }, {}],
    errors: [
      new AppError(
        'UNAUTHORIZED',
        'This is for the maintainer: call it on the machine that Inframe runs on, or log in with ADMIN_TOKEN as the password.',
        { challenge: 'Basic realm="Inframe"' },
      ),
    ],
  },
}
