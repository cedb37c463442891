import { hash, randomBytes } from 'node:crypto'
import type { AppContext } from '../context.ts'
import { isOpen } from '../contract/albums/opening.ts'
import type { Db, Trx } from '../database/client.ts'
import type { Album } from '../database/schema.ts'
import { withAlbum } from '../database/transaction.ts'
import { isUuid } from '../database/uuid.ts'
import { AppError, hasCode } from '../errors.ts'
import type { Keyring } from '../keyring.ts'
import { hasEndedLetters } from '../letters/limits.ts'
import { isForOwner, type LinkContent, linkToken, readLink } from '../letters/links.ts'
import { notOpen } from '../photos/links.ts'
import { findErasure } from './erasure-queries.ts'
import { countLookup } from './name-lookups.ts'
import { type AlbumReference, findAlbum } from './queries.ts'

/** What a session may do with an album (its grant). A guest's grant ends when the password changes, an owner's when the
 *  owner key changes. */
export type Grant =
  | { albumId: string; role: 'guest'; passwordVersion: number }
  | { albumId: string; role: 'owner'; ownerKeyVersion: number }

export const guestGrant = (album: Pick<Album, 'id' | 'password_version'>): Grant => ({
  albumId: album.id,
  role: 'guest',
  passwordVersion: album.password_version,
})

export const ownerGrant = (album: Pick<Album, 'id' | 'owner_key_version'>): Grant => ({
  albumId: album.id,
  role: 'owner',
  ownerKeyVersion: album.owner_key_version,
})

/** 24 random bytes, base64url. */
const OWNER_KEY = /^[A-Za-z0-9_-]{32}$/

/** A new owner key: 192 random bits. Only its hash is stored. A random key needs no slow hash. */
export function makeOwnerKey(): { key: string; hash: Buffer } {
  const key = randomBytes(24).toString('base64url')
  return { key, hash: hashOwnerKey(key) }
}

function hashOwnerKey(key: string): Buffer {
  return hash('sha256', key, 'buffer')
}

export const albumNotFound = () => new AppError('NOT_FOUND', 'Album not found')
export const ownerKeyChanged = () =>
  new AppError('CONFLICT', 'The owner key of this album was changed a moment ago. Use the new key.')
export const passwordNeeded = () => new AppError('UNAUTHORIZED', 'Please enter the album password first')
export const browsingOff = () =>
  new AppError('FORBIDDEN', 'The owner of this album has not opened all its photos to guests')
export const ownerOnly = () => new AppError('FORBIDDEN', "Only the album's owner can do this")

type Versions = Pick<Album, 'id' | 'password_version' | 'owner_key_version' | 'settings'>

function isValid(grant: Grant, album: Versions): boolean {
  return grant.role === 'owner'
    ? grant.ownerKeyVersion === album.owner_key_version
    : grant.passwordVersion === album.password_version
}

function heldGrant(album: Versions, grants: Grant[]): Grant | undefined {
  const valid = grants.filter((grant) => grant.albumId === album.id && isValid(grant, album))
  return valid.find((grant) => grant.role === 'owner') ?? valid[0]
}

/** A guest's grant counts only while the album is open. */
function grantOn(album: Versions, grants: Grant[]): Grant | undefined {
  const grant = heldGrant(album, grants)
  return grant?.role === 'owner' || isOpen(album.settings) ? grant : undefined
}

/** Why a session without a grant that counts is refused. */
export const noGrantOn = (album: Versions, grants: Grant[]): AppError =>
  heldGrant(album, grants) ? notOpen(album.settings, 'UNAUTHORIZED') : passwordNeeded()

/** When the album opens, or that it is closed. Only a guest who has entered the password learns it. */
export function whenOpen(album: Versions | undefined, grants: Grant[]) {
  const waits = album && !hasGrant(album, grants) && heldGrant(album, grants) !== undefined
  const opens = waits ? album.settings.opensAt : null
  const opensAt = opens && new Date() < new Date(opens) ? opens : null
  return { opensAt, isClosed: waits === true && opensAt === null }
}

/** Whether a grant that is still valid makes the session the owner. */
export function isOwner(album: Album, grants: Grant[]): boolean {
  return grantOn(album, grants)?.role === 'owner'
}

/** Whether a grant that is still valid gives any right. */
export function hasGrant(album: Versions, grants: Grant[]): boolean {
  return grantOn(album, grants) !== undefined
}

/** What `{id}` of a call may be: the owner key, or the album's public id together with a grant. */
export function readReference(reference: string): { key: AlbumReference; byOwnerKey: boolean } {
  if (OWNER_KEY.test(reference)) return { key: { ownerKeyHash: hashOwnerKey(reference) }, byOwnerKey: true }
  if (isUuid(reference)) return { key: { id: reference }, byOwnerKey: false }
  throw albumNotFound()
}

/** @param ownerKey the key itself, or that of the private link in a letter
 *  @returns undefined when no album has this key, and for text that is no owner key. */
export async function findAlbumByOwnerKey(
  deps: Pick<AppContext, 'db' | 'keyring'>,
  ownerKey: string,
): Promise<Album | undefined> {
  return OWNER_KEY.test(ownerKey)
    ? await findAlbum(deps.db, { ownerKeyHash: hashOwnerKey(ownerKey) })
    : await findAlbumByLetterKey(deps, ownerKey)
}

/** The album that the private link of a letter opens for its owner, or the key of a browser that had lost its own. The service
 *  stores only a hash of the owner key, so a letter has a key of its own. It ends with the owner key, with the address, and when
 *  its reader says "This was not me". */
async function findAlbumByLetterKey(
  { db, keyring }: Pick<AppContext, 'db' | 'keyring'>,
  key: string,
): Promise<Album | undefined> {
  const link = linkOfKey(keyring, key)
  const album = link && (await findAlbum(db, { id: link.id }))
  if (!album) return undefined
  if (link.use === 'browser') return link.version === album.owner_key_version ? album : undefined
  if (!isForOwner(keyring, link, album)) return undefined
  if (link.use === 'own' && !album.address_confirmed_at) return undefined
  return (await hasEndedLetters(db, keyring, album)) ? undefined : album
}

/** Whether an owner key is that of a letter which its reader has asked for. */
export const isReturnKey = (keyring: Keyring, key: string) => linkOfKey(keyring, key)?.use === 'return'

function linkOfKey(keyring: Keyring, key: string): LinkContent | undefined {
  try {
    return readLink(keyring, key, 'own', 'return', 'browser')
  } catch (error) {
    if (hasCode(error, 'NOT_FOUND')) return undefined
    throw error
  }
}

/** A key for a browser with a session of the owner, in place of the owner key: it has lost that one. It ends with the owner key
 *  only. No letter has it, so it does not depend on who reads letters. */
export const browserKey = (
  keyring: Keyring,
  { id, owner_key_version: version }: Pick<Album, 'id' | 'owner_key_version'>,
) => linkToken(keyring, { use: 'browser', id, version })

/** The album that its owner names: by the owner key or, in a session of the owner, by the public id.
 *  @throws AppError NOT_FOUND, UNAUTHORIZED without a grant, FORBIDDEN with a guest's grant. */
export async function requireOwnedAlbum(db: Db, reference: string, grants: Grant[]): Promise<Album> {
  const { key, byOwnerKey } = readReference(reference)
  const album = await findAlbum(db, key)
  if (!album) throw albumNotFound()
  const grant = grantOn(album, grants)
  if (byOwnerKey || grant?.role === 'owner') return album
  throw grant ? ownerOnly() : noGrantOn(album, grants)
}

/** An album as it was when a caller's right to change it was checked. */
export type OwnedAlbum = Pick<Album, 'id' | 'owner_key_version'>

/** Like withAlbum, for what an owner has asked for.
 *  @throws AppError what requireSameOwner throws */
export async function withOwnedAlbum<T>(
  db: Db,
  owned: OwnedAlbum,
  change: (trx: Trx, album: Album) => Promise<T>,
): Promise<T> {
  return await withAlbum(db, owned.id, (trx, album) => {
    requireSameOwner(album, owned)
    return change(trx, album)
  })
}

/** A new owner key ends the right of the former owner, also to what was begun with it.
 *  @throws AppError NOT_FOUND when the album has been erased since, CONFLICT when its owner key has changed */
export function requireSameOwner(album: Album | undefined, owned: OwnedAlbum): asserts album is Album {
  if (!album) throw albumNotFound()
  if (album.owner_key_version !== owned.owner_key_version) throw ownerKeyChanged()
}

/** Like requireOwnedAlbum, but finds also an album that this owner has erased. */
export async function requireOwnedOrErased(db: Db, reference: string, grants: Grant[]): Promise<OwnedAlbum> {
  const { key, byOwnerKey } = readReference(reference)
  const erasure = await findErasure(db, key)
  if (!erasure) return await requireOwnedAlbum(db, reference, grants)
  const { album_id, owner_key_version } = erasure
  const wasOwner = grants.some(
    (grant) =>
      grant.role === 'owner' && grant.albumId === album_id && grant.ownerKeyVersion === owner_key_version,
  )
  if (byOwnerKey || wasOwner) return { id: album_id, owner_key_version }
  throw albumNotFound()
}

/** A caller who names an album by its slug, from a network address. */
interface NamingCaller {
  grants: Grant[]
  address: string
}

/** The album a session has a grant on, by its slug.
 *  @param options.alsoClosed a guest who came in before it was closed
 *  @throws AppError NOT_FOUND, UNAUTHORIZED without a grant, TOO_MANY_REQUESTS after too many unknown names. */
export async function requireAlbumOfGuest(
  deps: Pick<AppContext, 'db' | 'keyring' | 'limits'>,
  slug: string,
  caller: NamingCaller,
  { alsoClosed = false } = {},
): Promise<Album> {
  const album = await findAlbum(deps.db, { slug })
  if (album && (alsoClosed ? heldGrant : grantOn)(album, caller.grants)) return album
  await countLookup(deps, { address: caller.address, slug }, album !== undefined)
  throw album ? noGrantOn(album, caller.grants) : albumNotFound()
}

/** Like requireAlbumOfGuest, for a session that may see all photos of the album.
 *  @throws AppError also FORBIDDEN, for a guest of an album that only its owner may browse */
export async function requireBrowsableAlbum(
  deps: Pick<AppContext, 'db' | 'keyring' | 'limits'>,
  slug: string,
  caller: NamingCaller,
): Promise<Album> {
  const album = await requireAlbumOfGuest(deps, slug, caller)
  if (album.settings.browsing === 'off' && !isOwner(album, caller.grants)) throw browsingOff()
  return album
}
