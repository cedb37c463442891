import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { AppContext } from '../context.ts'
import type { Album } from '../database/schema.ts'
import { AppError } from '../errors.ts'
import { TokenRefused } from '../keyring.ts'
import { requestMyAlbums } from '../letters/request.ts'
import { findAlbum } from './queries.ts'
import { countCall, findOrCountWrong, tooManyCalls } from './rate-limits.ts'
import { countWithin } from './visitor-queries.ts'

/** How long a link can be used. */
export const DEVICE_LINK_SECONDS = 600

const content = z.object({ id: z.uuid(), albumId: z.uuid(), version: z.number() })

export const deviceLinkUnknown = () =>
  new AppError('NOT_FOUND', 'This link is not valid. Make another one on a device that manages the album.')
export const deviceLinkUsed = () =>
  new AppError('CONFLICT', 'This link was used already. Make another one on a device that manages the album.')

/** A token that makes another device the owner of an album, once. A new owner key ends it. */
export function makeDeviceLink(
  { keyring }: Pick<AppContext, 'keyring'>,
  { id: albumId, owner_key_version: version }: Album,
): { token: string; endsAt: string } {
  const link = { id: randomUUID(), albumId, version }
  const endsAt = new Date(Date.now() + DEVICE_LINK_SECONDS * 1000).toISOString()
  return { token: keyring.seal('device-link', 'link', link, DEVICE_LINK_SECONDS), endsAt }
}

/** The album of such a token, which ends with this.
 *  @throws AppError NOT_FOUND, CONFLICT when it was used before, TOO_MANY_REQUESTS after too many wrong ones */
export async function useDeviceLink(
  deps: Pick<AppContext, 'db' | 'keyring' | 'limits'>,
  { token, address }: { token: string; address: string },
): Promise<Album> {
  const { link, album } = await findOrCountWrong(deps, { address }, async () => {
    const link = readToken(deps, token)
    const album = await findAlbum(deps.db, { id: link.albumId })
    if (album?.owner_key_version !== link.version) throw deviceLinkUnknown()
    return { link, album }
  })
  // That it was used is known for as long as it could be used again.
  const key = deps.keyring.mac('address-hash', `device link ${link.id}`)
  const isFirst = await countWithin(deps.db, key, { windowSeconds: DEVICE_LINK_SECONDS, most: 1 })
  if (!isFirst) throw deviceLinkUsed()
  return album
}

function readToken({ keyring }: Pick<AppContext, 'keyring'>, token: string): z.infer<typeof content> {
  try {
    return keyring.open('device-link', 'link', content, token)
  } catch (error) {
    if (error instanceof TokenRefused) throw deviceLinkUnknown()
    throw error
  }
}

/** Sends the ways into all albums of an address to it. The caller does not learn whether there are any: a job looks for them.
 *  @param by `address` is their network
 *  @throws AppError TOO_MANY_REQUESTS */
export async function sendMyAlbums(
  deps: Pick<AppContext, 'db' | 'jobs' | 'keyring' | 'limits'>,
  email: string,
  by: { address: string; sessionId: string | undefined },
): Promise<void> {
  await countCall(deps, 'letter', by)
  const asked = { email, asker: by.address }
  const seconds = await deps.db.transaction().execute((trx) => requestMyAlbums(trx, deps, asked))
  if (seconds > 0) throw tooManyCalls(deps.limits.newAddress, seconds)
}
