import { createHash, timingSafeEqual } from 'node:crypto'
import { AppError } from '../errors.ts'
import { procedure, type Visitor } from './trpc.ts'

/** What identifies a maintainer. */
type Credentials = Pick<Visitor, 'isLocal' | 'authorization'>

/** A call for the maintainer of this Inframe. The caller is checked before the input. */
export const maintainerProcedure = procedure.use(({ ctx, next }) => {
  requireMaintainer(ctx.visitor, ctx.services.adminToken)
  return next()
})

/** Whether the caller runs this Inframe: the call comes from its machine, or with ADMIN_TOKEN as a bearer token or as
 *  the password of any user name. */
export function isMaintainer(
  { isLocal, authorization = '' }: Credentials,
  adminToken: string | undefined,
): boolean {
  return isLocal || (adminToken !== undefined && equal(secretIn(authorization), adminToken))
}

/** @throws AppError UNAUTHORIZED. */
export function requireMaintainer(caller: Credentials, adminToken: string | undefined): void {
  if (isMaintainer(caller, adminToken)) return
  throw maintainerOnly()
}

export const maintainerOnly = () =>
  new AppError(
    'UNAUTHORIZED',
    'This is for the maintainer: call it on the machine that Inframe runs on, or log in with ADMIN_TOKEN as the password.',
    { challenge: 'Basic realm="Inframe"' },
  )

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
