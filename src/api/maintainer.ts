import { createHash, timingSafeEqual } from 'node:crypto'
import { AppError } from '../errors.ts'
import { procedure, type Visitor } from './trpc.ts'

/** For whoever runs this Inframe: on its machine, or with ADMIN_TOKEN as the password and any user name. Asked
 *  before the input is looked at. */
export const maintainerProcedure = procedure.use(({ ctx, next }) => {
  requireMaintainer(ctx.visitor, ctx.services.adminToken)
  return next()
})

function requireMaintainer({ isLocal, authorization }: Visitor, adminToken: string | undefined): void {
  if (isLocal) return
  if (adminToken !== undefined && equal(passwordIn(authorization ?? ''), adminToken)) return
  throw new AppError(
    'UNAUTHORIZED',
    'This is for the maintainer: call it on the machine that Inframe runs on, or log in with ADMIN_TOKEN as the password.',
    { challenge: 'Basic realm="Inframe"' },
  )
}

/** HTTP Basic (RFC 7617); empty when the header is something else. */
function passwordIn(authorization: string): string {
  const [, credentials = ''] = /^Basic +(\S+)$/i.exec(authorization) ?? []
  const [, ...password] = Buffer.from(credentials, 'base64').toString().split(':')
  return password.join(':')
}

/** In constant time: of their hashes, since what is compared so must be of one length. */
function equal(a: string, b: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(hash(a), hash(b))
}
