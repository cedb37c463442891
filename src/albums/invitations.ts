import { createHash } from 'node:crypto'
import { type Actor, recordEvent } from '../audit/audit-log.ts'
import type { AppContext } from '../context.ts'
import type { Trx } from '../database/client.ts'
import { AppError } from '../errors.ts'
import { makePassword, plainCode } from './password.ts'
import { countWrong } from './rate-limits.ts'
import { findInvitation, insertInvitation, takeFromInvitation } from './visitor-queries.ts'

/** Who may create albums: anyone, anyone with an invitation code, or nobody. */
export type AlbumCreation = 'open' | 'invited' | 'closed'

const SECONDS_OF_A_DAY = 86_400

/** Makes a code with which `albums` albums can be created within `days` days. Only its hash is stored, so nothing can
 *  show the code again. */
export async function invite(
  { db, keyring }: Pick<AppContext, 'db' | 'keyring'>,
  { albums, days }: { albums: number; days: number },
  by: Actor,
): Promise<{ code: string; expiresAt: Date }> {
  const code = makePassword()
  const { expires_at } = await db.transaction().execute(async (trx) => {
    await recordEvent({ db: trx, keyring }, { event: 'invited', by })
    return await insertInvitation(trx, { codeHash: hashOf(code), albums, seconds: days * SECONDS_OF_A_DAY })
  })
  return { code, expiresAt: expires_at }
}

/** Checks whether a caller may create an album. A right code is always accepted.
 *  @returns the invitation that the album uses up; undefined when none is needed
 *  @throws AppError FORBIDDEN, TOO_MANY_REQUESTS */
export async function requireInvitation(
  deps: Pick<AppContext, 'albumCreation' | 'db' | 'keyring' | 'limits'>,
  { code, address }: { code: string | undefined; address: string },
): Promise<Buffer | undefined> {
  if (deps.albumCreation === 'closed') throw creationClosed()
  if (deps.albumCreation === 'open') return undefined
  if (!code?.trim()) throw invitationNeeded()
  const hash = hashOf(code)
  const found = await findInvitation(deps.db, hash)
  if (!found) {
    await countWrong(deps, 'wrongSecret', { address })
    throw wrongInvitation()
  }
  if (found.is_expired) throw invitationExpired()
  if (found.albums_left === 0) throw invitationUsed()
  return hash
}

/** Uses an invitation up, in the transaction that creates the album.
 *  @throws AppError FORBIDDEN when another album has just used it */
export async function spendInvitation(trx: Trx, invitation: Buffer): Promise<void> {
  if (!(await takeFromInvitation(trx, invitation))) throw invitationUsed()
}

/** Retyped and pasted as passwords are. */
function hashOf(code: string): Buffer {
  return createHash('sha256').update(plainCode(code)).digest()
}

/** An error that the form shows under the code's field. */
function codeFault(message: string): AppError {
  return new AppError('FORBIDDEN', message, { issues: [{ path: ['inviteCode'], message }] })
}

export const invitationNeeded = () => codeFault('Creating an album needs an invitation code here')
export const wrongInvitation = () => codeFault('This invitation code is wrong')
export const invitationUsed = () => codeFault('This invitation code has already been used')
export const invitationExpired = () => codeFault('This invitation code has expired. Please ask for a new one')
export const creationClosed = () =>
  new AppError('FORBIDDEN', 'New albums cannot be created here at the moment')
