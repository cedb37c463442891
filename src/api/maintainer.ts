import { createHash, timingSafeEqual } from 'node:crypto'
import { AppError } from '../errors.ts'
import { procedure, type Visitor } from './trpc.ts'

/** Who calls, as far as it matters here. */
type Caller = Pick<Visitor, 'isLocal' | 'authorization'>

/** For whoever runs this Inframe. Asked before the input is looked at. */
export const maintainerProcedure = procedure.use(({ ctx, next }) => {
  requireMaintainer(ctx.visitor, ctx.services.adminToken)
  return next()
})

/** Whether it is whoever runs this Inframe: on its machine, or with ADMIN_TOKEN, as a bearer or as the password of
 *  any user name. */
export function isMaintainer(
  { isLocal, authorization = '' }: Caller,
  adminToken: string | undefined,
): boolean {
  return isLocal || (adminToken !== undefined && equal(secretIn(authorization), adminToken))
}

/** @throws AppError UNAUTHORIZED. */
export function requireMaintainer(caller: Caller, adminToken: string | undefined): void {
  if (isMaintainer(caller, adminToken)) return
  throw maintainerOnly()
}

export const maintainerOnly = () =>
  new AppError(
    'UNAUTHORIZED',
    'This is for the maintainer: call it on the machine that Inframe runs on, or log in with ADMIN_TOKEN as the password.',
    { challenge: 'Basic realm="Inframe"' },
  )

/** What stands in HTTP Basic (RFC 7617) as the password, or the token of a bearer (RFC 6750); empty when the header
 *  is something else. */
function secretIn(authorization: string): string {
  const [, token] = /^Bearer +(\S.*)$/i.exec(authorization) ?? []
  if (token !== undefined) return token
  const [, credentials = ''] = /^Basic +(\S+)$/i.exec(authorization) ?? []
  const [, ...password] = Buffer.from(credentials, 'base64').toString().split(':')
  return password.join(':')
}

/** In constant time: of their hashes, since what is compared so must be of one length. */
function equal(a: string, b: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(hash(a), hash(b))
}
