import { createHash, timingSafeEqual } from 'node:crypto'
import type { MaintainerAccess } from '../admin/maintainer-access.ts'
import { countWrong } from '../albums/rate-limits.ts'
import { atMostEvery } from '../at-most-every.ts'
import type { AppContext } from '../context.ts'
import { databaseFault } from '../database/faults.ts'
import { AppError } from '../errors.ts'
import type { Visitor } from './visitor.ts'

const WARNING_EVERY_MS = 60_000

/** What may identify a maintainer, and the network address against which wrong tokens count. */
export type Credentials = Pick<Visitor, 'isMaintainer' | 'authorization' | 'address'>

/** Says who the maintainer of this Inframe is. */
export interface MaintainerCheck {
  access: MaintainerAccess
  /** Whether the caller runs this Inframe. Where a call comes from proves nothing: a proxy or relay on the machine may
   *  pass on the calls of strangers.
   *  @throws AppError TOO_MANY_REQUESTS after too many wrong tokens */
  isMaintainer(caller: Credentials): Promise<boolean>
  /** @throws AppError UNAUTHORIZED for everybody else, TOO_MANY_REQUESTS. */
  require(caller: Credentials): Promise<void>
}

export function createMaintainerCheck(
  access: MaintainerAccess,
  { log, ...deps }: Pick<AppContext, 'db' | 'keyring' | 'limits' | 'log'>,
): MaintainerCheck {
  const warn = atMostEvery(WARNING_EVERY_MS, async () =>
    log.warn('A caller sent a wrong ADMIN_TOKEN. This is logged at most once a minute.'),
  )

  /** The right token is always accepted, also from an address that has sent many wrong ones. */
  async function isRight(token: string, sent: string, address: string): Promise<boolean> {
    if (equal(sent, token)) return true
    await warn()
    await countWrong(deps, 'wrongSecret', { address }).catch((error) => {
      // While the database is unavailable, nothing can be counted. The maintainer still has to see what is wrong.
      if (!databaseFault(error)) throw error
    })
    return false
  }

  async function isMaintainer({ isMaintainer, authorization, address }: Credentials): Promise<boolean> {
    if (access.kind === 'setup-link') return isMaintainer
    const sent = secretIn(authorization ?? '')
    return access.kind === 'token' && sent !== '' && (await isRight(access.token, sent, address))
  }

  return {
    access,
    isMaintainer,
    async require(caller) {
      if (!(await isMaintainer(caller))) throw MAINTAINER_ONLY[access.kind]()
    },
  }
}

/** The error for everybody else, by the way in which a maintainer identifies. */
export const MAINTAINER_ONLY: Record<MaintainerAccess['kind'], () => AppError> = {
  token: () =>
    new AppError(
      'UNAUTHORIZED',
      'This is for the maintainer. Log in with any user name, and ADMIN_TOKEN as the password.',
      { challenge: 'Basic realm="Inframe"' },
    ),
  'setup-link': () =>
    new AppError(
      'UNAUTHORIZED',
      'This is for the maintainer. Open the set-up link that Inframe printed when it started. For a new one, run npm run setup-link where Inframe is installed.',
    ),
  none: () =>
    new AppError(
      'UNAUTHORIZED',
      'This is for the maintainer. Other machines can reach this Inframe, so ADMIN_TOKEN has to be set first. Set it where Inframe runs, restart Inframe, and log in with it.',
    ),
}

/** The password of HTTP Basic (RFC 7617), or the token of a bearer (RFC 6750); empty for any other header. */
function secretIn(authorization: string): string {
  const [, token] = /^Bearer +(\S.*)$/i.exec(authorization) ?? []
  if (token !== undefined) return token
  const [, credentials = ''] = /^Basic +(\S+)$/i.exec(authorization) ?? []
  const [, ...password] = Buffer.from(credentials, 'base64').toString().split(':')
  return password.join(':')
}

/** Compares in constant time. `timingSafeEqual` needs equal lengths, so it compares hashes. */
function equal(a: string, b: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(hash(a), hash(b))
}
