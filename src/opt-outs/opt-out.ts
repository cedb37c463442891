import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { albumNotFound } from '../albums/access.ts'
import { type Actor, recordEvent } from '../audit/audit-log.ts'
import type { AppContext } from '../context.ts'
import type { OptOutOutput } from '../contract/opt-outs.ts'
import type { Trx } from '../database/client.ts'
import type { Album, OptOut } from '../database/schema.ts'
import { withAlbum } from '../database/transaction.ts'
import { AppError } from '../errors.ts'
import { type Keyring, TokenRefused } from '../keyring.ts'
import { requestLetter } from '../letters/request.ts'
import { hideFaces, shownFaces } from '../photos/face-queries.ts'
import { sealPerson } from '../photos/opted-out.ts'
import { facesOfLastHour, insertOptOut } from './queries.ts'

export interface OptOutRequest {
  /** The caller has made sure that a search with a new selfie has surely found them. */
  faceIds: string[]
  /** Asks the owner to hide their photos. */
  hidePhotos: boolean
  /** Keeps faces of the same person in future photos from being found. */
  keepOut: boolean
}

const HOUR_SECONDS = 3600

/** How many faces may be opted out within an hour: a share of an album's faces, or a number, whichever is more. One caller gets
 *  less than the album allows, so that nobody uses up what the other guests need. Callers are told apart by where they call
 *  from, because a new session costs nothing. */
const SHARE_OF_AN_HOUR = {
  album: { share: 0.05, least: 30 },
  caller: { share: 0.03, least: 20 },
}

export const tooManyOptOuts = () =>
  new AppError(
    'TOO_MANY_REQUESTS',
    'Many faces were taken out of this album within the last hour. Please try again in an hour, or ask the organiser.',
    { retryAfter: HOUR_SECONDS },
  )

export const tooManyFaces = (most: number) =>
  new AppError(
    'UNPROCESSABLE_CONTENT',
    `At most ${most} faces can be taken out of this album at once. Please untick some, and take those out in an hour. Or ask the organiser.`,
  )

export const alreadyOptedOut = () =>
  new AppError('CONFLICT', 'These faces are no longer in the search. Search again to see what is left.')

/** Opts a guest out of an album: from now on no search shows these faces (src/search/find-person.ts). One transaction
 *  records it and sends the job that tells the owner.
 *  @param by with the caller's session, and where the call comes from
 *  @throws AppError CONFLICT when none of the faces is left, NOT_FOUND when the album has been erased, and what
 *    requireWithinShare throws */
export async function optOut(
  deps: Pick<AppContext, 'db' | 'faces' | 'jobs' | 'keyring'>,
  { id: albumId }: Album,
  { faceIds, hidePhotos, keepOut }: OptOutRequest,
  by: Actor & { address: string },
): Promise<OptOutOutput> {
  const { keyring, jobs } = deps
  const person = keepOut ? await deps.faces.describePerson(albumId, faceIds) : undefined
  return await withAlbum(deps.db, albumId, async (trx, album) => {
    if (!album) throw albumNotFound()
    const faces = (await shownFaces(trx, faceIds)).filter(({ album_id }) => album_id === albumId)
    if (faces.length === 0) throw alreadyOptedOut()
    const callerHash = keyring.mac('address-hash', `opt-outs of ${albumId} from ${by.address}`)
    await requireWithinShare(trx, album, callerHash, faces.length)
    const photos = [...new Set(faces.map(({ photo_id }) => photo_id))]
    const id = randomUUID()
    const recorded = await insertOptOut(trx, {
      id,
      album_id: albumId,
      state: 'active',
      faces: faces.length,
      caller_hash: callerHash,
      person_cipher: person ? sealPerson(keyring, id, person) : null,
      photos_to_hide: hidePhotos ? photos : null,
    })
    await hideFaces(
      trx,
      id,
      faces.map((face) => face.id),
    )
    await requestLetter(trx, { keyring, jobs }, { kind: 'opt-outs', album })
    await recordEvent({ keyring, db: trx }, { event: 'guest opted out', album, by })
    return {
      receipt: receiptOf(keyring, id),
      ...stateOf(recorded),
      photosToHide: hidePhotos ? photos.length : 0,
      isKeptOut: person !== undefined,
    }
  })
}

/** Makes sure that so many more faces may be opted out of an album now.
 *  @param album which is locked, so simultaneous opt-outs cannot all pass
 *  @throws AppError UNPROCESSABLE_CONTENT when they are more than an hour allows, TOO_MANY_REQUESTS when they are too many
 *    together with those of the last hour */
async function requireWithinShare(
  trx: Trx,
  album: Pick<Album, 'id' | 'faces_found'>,
  callerHash: Buffer,
  faces: number,
): Promise<void> {
  const [ofAlbum, ofCaller] = [SHARE_OF_AN_HOUR.album, SHARE_OF_AN_HOUR.caller].map(({ share, least }) =>
    Math.max(least, Math.floor(share * album.faces_found)),
  ) as [number, number]
  if (faces > ofCaller) throw tooManyFaces(ofCaller)
  const before = await facesOfLastHour(trx, album.id, callerHash)
  if (before.ofAlbum + faces > ofAlbum || before.ofCaller + faces > ofCaller) throw tooManyOptOuts()
}

/** What the holder of its receipt and the owner may learn about an opt-out. */
export function stateOf({ state, faces, created_at, erase_at }: OptOut) {
  return { state, faces, at: created_at.toISOString(), eraseAt: erase_at.toISOString() }
}

export const invalidReceipt = () => new AppError('NOT_FOUND', 'This receipt is not valid')

/** What a guest keeps: who has it can undo the opt-out. It says nothing about the person, and cannot be guessed.
 *  @param id of the opt-out */
export const receiptOf = (keyring: Keyring, id: string) => keyring.seal('opt-out-receipt', '', id)

/** The id of the opt-out that a receipt is for.
 *  @throws AppError NOT_FOUND when the receipt is forged */
export function idOfReceipt(keyring: Keyring, receipt: string): string {
  try {
    return keyring.open('opt-out-receipt', '', z.uuid(), receipt)
  } catch (error) {
    if (error instanceof TokenRefused) throw invalidReceipt()
    throw error
  }
}
