import { createHash, timingSafeEqual } from 'node:crypto'
import { AppError } from '../errors.ts'
import type { MaintainerAccess } from '../maintainer/access.ts'
import { procedure, type Visitor } from './trpc.ts'

/** What may identify a maintainer. */
export type Credentials = Pick<Visitor, 'isMaintainer' | 'authorization'>

/** A call for the maintainer of this Inframe. The caller is checked before the input. */
export const maintainerProcedure = procedure.use(({ ctx, next }) => {
  requireMaintainer(ctx.visitor, ctx.services.maintainerAccess)
  return next()
})

/** Whether the caller runs this Inframe. Where a call comes from proves nothing: a proxy or relay on the machine may
 *  pass on the calls of strangers. */
export function isMaintainer(caller: Credentials, access: MaintainerAccess): boolean {
  if (access.kind === 'setup-link') return caller.isMaintainer
  return access.kind === 'token' && equal(secretIn(caller.authorization ?? ''), access.token)
}

/** @throws AppError UNAUTHORIZED. */
export function requireMaintainer(caller: Credentials, access: MaintainerAccess): void {
  if (isMaintainer(caller, access)) return
  throw MAINTAINER_ONLY[access.kind]()
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
