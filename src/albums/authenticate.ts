import type { Db } from '../database/client.ts'
import type { Album } from '../database/schema.ts'
import { AppError } from '../errors.ts'
import type { Keyring } from '../keyring.ts'
import { albumNotFound } from './access.ts'
import { decryptPassword, passwordMatches } from './password.ts'
import { countPasswordFailures, findAlbum, insertPasswordFailure } from './queries.ts'

/** Failures are counted over this long. */
export const FAILURE_WINDOW_SECONDS = 600
/** From one address on one album: a person retyping never comes here. */
const FAILURES_FROM_ADDRESS = 10
/** From all addresses on one album. Beyond it, an address that has failed before has to wait, while one that
 *  has not still gets its try: whoever attacks an album cannot lock its guests out. */
const FAILURES_ON_ALBUM = 100

/** Checks an album's password.
 *  @param address the caller's network address; only a keyed hash of it is kept.
 *  @throws AppError NOT_FOUND, UNAUTHORIZED, TOO_MANY_REQUESTS. */
export async function authenticate(
  { db, keyring }: { db: Db; keyring: Keyring },
  input: { slug: string; password: string; address: string },
): Promise<Album> {
  const album = await findAlbum(db, { slug: input.slug })
  if (!album) throw albumNotFound()
  const addressHash = keyring.mac('address-hash', input.address)
  await refuseGuessing(db, album.id, addressHash)
  if (passwordMatches(input.password, decryptPassword(keyring, album))) return album
  await insertPasswordFailure(db, album.id, addressHash)
  throw new AppError('UNAUTHORIZED', 'Invalid password')
}

async function refuseGuessing(db: Db, albumId: string, addressHash: Buffer): Promise<void> {
  const failures = await countPasswordFailures(db, albumId, addressHash, FAILURE_WINDOW_SECONDS)
  const limit = failures.onAlbum >= FAILURES_ON_ALBUM ? 1 : FAILURES_FROM_ADDRESS
  if (failures.fromAddress < limit) return
  const age = (Date.now() - Number(failures.oldestFromAddress)) / 1000
  throw new AppError(
    'TOO_MANY_REQUESTS',
    'Too many wrong passwords. Please wait a few minutes and try again.',
    {
      retryAfter: Math.max(1, Math.ceil(FAILURE_WINDOW_SECONDS - age)),
    },
  )
}
