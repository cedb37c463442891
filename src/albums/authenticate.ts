import { recordEvent } from '../audit/audit-log.ts'
import type { AppContext } from '../context.ts'
import type { Album } from '../database/schema.ts'
import { AppError } from '../errors.ts'
import { albumNotFound, findAlbumByOwnerKey } from './access.ts'
import { countLookup, rememberName } from './name-lookups.ts'
import { decryptPassword, passwordMatches } from './password.ts'
import { findAlbum } from './queries.ts'
import { countWrong } from './rate-limits.ts'

/** Checks an album's password. The right one is always accepted, but from a code only while the owner has turned that on.
 *  @throws AppError NOT_FOUND, UNAUTHORIZED, TOO_MANY_REQUESTS after too many wrong ones. */
export async function authenticate(
  deps: Pick<AppContext, 'db' | 'keyring' | 'limits'>,
  input: { slug: string; password: string; byCode?: boolean | undefined; address: string },
): Promise<Album> {
  const album = await findAlbum(deps.db, { slug: input.slug })
  if (album && passwordMatches(input.password, decryptPassword(deps.keyring, album))) {
    if (input.byCode && album.settings.scanAndGo === 'off') throw codeEnded()
    await rememberName(deps, input)
    return album
  }
  await countLookup(deps, input, album !== undefined)
  if (!album) throw albumNotFound()
  await countWrong(deps, 'wrongSecret', { address: input.address }, () =>
    recordEvent(deps, {
      event: 'password failed too often',
      album,
      by: { role: 'visitor', address: input.address },
    }),
  )
  throw wrongPassword()
}

/** Finds the album of an owner key. The right one is always accepted.
 *  @throws AppError NOT_FOUND, TOO_MANY_REQUESTS after too many wrong ones. */
export async function authenticateOwner(
  deps: Pick<AppContext, 'db' | 'keyring' | 'limits'>,
  { ownerKey, address }: { ownerKey: string; address: string },
): Promise<Album> {
  const album = await findAlbumByOwnerKey(deps, ownerKey)
  if (album) return album
  await countWrong(deps, 'wrongSecret', { address })
  throw albumNotFound()
}

const codeEnded = () =>
  new AppError('UNAUTHORIZED', 'This code has been ended. Please enter the album password.')
export const wrongPassword = () => new AppError('UNAUTHORIZED', 'Invalid password')
