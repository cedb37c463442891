import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { albumNotFound } from '../albums/access.ts'
import { type Actor, recordEvent } from '../audit/audit-log.ts'
import type { AppContext } from '../context.ts'
import type { OptOutOutput } from '../contract/opt-outs.ts'
import type { Album, OptOut } from '../database/schema.ts'
import { withAlbum } from '../database/transaction.ts'
import { AppError } from '../errors.ts'
import { type Keyring, TokenRefused } from '../keyring.ts'
import { requestLetter } from '../letters/request.ts'
import { hideFaces, shownFaces } from '../photos/face-queries.ts'
import { sealPerson } from '../photos/opted-out.ts'
import { hashOfCaller, MOST_KEPT_OUT, requireWithinShare } from './limits.ts'
import { countPeopleKeptOut, insertOptOut } from './queries.ts'

export interface OptOutRequest {
  /** The caller has made sure that a search with a new selfie has surely found them. */
  faceIds: string[]
  /** Asks the owner to hide their photos. */
  hidePhotos: boolean
  /** Keeps faces of the same person in future photos from being found. */
  keepOut: boolean
}

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
    const callerHash = hashOfCaller(keyring, albumId, by.address)
    await requireWithinShare(trx, album, callerHash, faces.length)
    const isKeptOut = person !== undefined && (await countPeopleKeptOut(trx, albumId)) < MOST_KEPT_OUT
    const photos = [...new Set(faces.map(({ photo_id }) => photo_id))]
    const id = randomUUID()
    const recorded = await insertOptOut(trx, {
      id,
      album_id: albumId,
      state: 'active',
      faces: faces.length,
      caller_hash: callerHash,
      person_cipher: isKeptOut ? sealPerson(keyring, id, person) : null,
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
      isKeptOut,
    }
  })
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
