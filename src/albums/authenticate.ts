import type { Album } from '../database/schema.ts'
import { AppError } from '../errors.ts'
import { albumNotFound, findAlbumByOwnerKey } from './access.ts'
import { decryptPassword, passwordMatches } from './password.ts'
import { findAlbum } from './queries.ts'
import { countCall, type LimitDeps, refuseIfLimited } from './rate-limits.ts'

/** Checks an album's password. Only wrong ones count towards the limit.
 *  @param input.address the caller's network address.
 *  @throws AppError NOT_FOUND, UNAUTHORIZED, TOO_MANY_REQUESTS. */
export async function authenticate(
  deps: LimitDeps,
  input: { slug: string; password: string; address: string },
): Promise<Album> {
  const album = await findAlbum(deps.db, { slug: input.slug })
  if (!album) throw albumNotFound()
  const who = { caller: input.address, albumId: album.id }
  await refuseIfLimited(deps, 'wrongPassword', who)
  if (passwordMatches(input.password, decryptPassword(deps.keyring, album))) return album
  await countCall(deps, 'wrongPassword', who)
  throw wrongPassword()
}

/** Finds the album of an owner key. Only wrong keys count towards the limit.
 *  @param input.address the caller's network address.
 *  @throws AppError NOT_FOUND, TOO_MANY_REQUESTS. */
export async function authenticateOwner(
  deps: LimitDeps,
  { ownerKey, address }: { ownerKey: string; address: string },
): Promise<Album> {
  await refuseIfLimited(deps, 'wrongOwnerKey', { caller: address })
  const album = await findAlbumByOwnerKey(deps.db, ownerKey)
  if (album) return album
  await countCall(deps, 'wrongOwnerKey', { caller: address })
  throw albumNotFound()
}

export const wrongPassword = () => new AppError('UNAUTHORIZED', 'Invalid password')
