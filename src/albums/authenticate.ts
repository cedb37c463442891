import { recordEvent } from '../audit/audit-log.ts'
import type { Album } from '../database/schema.ts'
import { AppError } from '../errors.ts'
import { albumNotFound, findAlbumByOwnerKey } from './access.ts'
import { decryptPassword, passwordMatches } from './password.ts'
import { findAlbum } from './queries.ts'
import { countIfFailed, type LimitDeps } from './rate-limits.ts'

/** Checks an album's password. Only wrong ones count towards the limit.
 *  @param input.address the caller's network address.
 *  @throws AppError NOT_FOUND, UNAUTHORIZED, TOO_MANY_REQUESTS. */
export async function authenticate(
  deps: LimitDeps,
  input: { slug: string; password: string; address: string },
): Promise<Album> {
  const album = await findAlbum(deps.db, { slug: input.slug })
  if (!album) throw albumNotFound()
  const isRight = passwordMatches(input.password, decryptPassword(deps.keyring, album))
  const who = { address: input.address, albumIds: [album.id] }
  await countIfFailed(deps, 'wrongPassword', who, !isRight, () =>
    recordEvent(deps, {
      event: 'password failed too often',
      album,
      by: { role: 'visitor', address: input.address },
    }),
  )
  if (!isRight) throw wrongPassword()
  return album
}

/** Finds the album of an owner key. Only wrong keys count towards the limit.
 *  @param input.address the caller's network address.
 *  @throws AppError NOT_FOUND, TOO_MANY_REQUESTS. */
export async function authenticateOwner(
  deps: LimitDeps,
  { ownerKey, address }: { ownerKey: string; address: string },
): Promise<Album> {
  const album = await findAlbumByOwnerKey(deps.db, ownerKey)
  await countIfFailed(deps, 'wrongOwnerKey', { address }, !album)
  if (!album) throw albumNotFound()
  return album
}

export const wrongPassword = () => new AppError('UNAUTHORIZED', 'Invalid password')
