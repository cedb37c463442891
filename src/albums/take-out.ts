import { type Actor, recordEvent } from '../audit/audit-log.ts'
import type { TakeOutOutput } from '../contract/take-out.ts'
import type { Db } from '../database/client.ts'
import type { Album } from '../database/schema.ts'
import { AppError, hasCode } from '../errors.ts'
import { enginesOf } from '../faces/collection-queries.ts'
import type { FaceIndex } from '../faces/face-index.ts'
import { type FormerFaces, withEngine } from '../faces/former-faces.ts'
import type { Keyring } from '../keyring.ts'
import { sealPerson } from '../photos/taken-out.ts'
import { deleteFaces, insertFacesTakenOut, insertPersonTakenOut } from '../photos/taken-out-queries.ts'
import type { JobSender } from '../queues/job-sender.ts'
import { queues } from '../queues/queues.ts'
import { albumNotFound } from './access.ts'
import { addToCounters, lockAlbum } from './queries.ts'
import { insertTakeOut } from './take-out-queries.ts'

interface Deps {
  db: Db
  faces: FaceIndex
  formerFaces: FormerFaces
  keyring: Keyring
  jobs: JobSender
}

export interface TakeOutWish {
  /** The faces that are removed. The caller has made sure that a search has surely found them. */
  faceIds: string[]
  /** Asks the owner to hide their photos. */
  hidePhotos: boolean
  /** Keeps faces of the same person in future photos from being indexed. */
  keepOut: boolean
}

export const alreadyTakenOut = () =>
  new AppError('CONFLICT', 'These faces are no longer in the search. Search again to see what is left.')

/** Takes a guest out of an album: removes their faces from the search, and keeps them out. One transaction records it,
 *  and sends the jobs that remove the faces from the engines and tell the owner. From then on no search shows them, even
 *  while an engine is unavailable (src/search/without-taken-out.ts).
 *  @throws AppError CONFLICT when none of the faces is left, NOT_FOUND when the album has been erased */
export async function takeOut(
  deps: Deps,
  { id: albumId }: Album,
  { faceIds, hidePhotos, keepOut }: TakeOutWish,
  by: Actor,
): Promise<TakeOutOutput> {
  const person = keepOut ? await deps.faces.describePerson(albumId, faceIds) : undefined
  const receipt = await deps.db.transaction().execute(async (trx) => {
    const album = await lockAlbum(trx, albumId)
    if (!album) throw albumNotFound()
    const gone = await deleteFaces(trx, albumId, faceIds)
    if (gone.length === 0) throw alreadyTakenOut()
    const photos = [...new Set(gone.map(({ photo_id }) => photo_id))]
    await insertFacesTakenOut(
      trx,
      gone.map((face) => ({ ...face, album_id: albumId })),
    )
    await addToCounters(trx, albumId, { faces: -gone.length })
    const { id, created_at } = await insertTakeOut(trx, {
      album_id: albumId,
      faces: gone.length,
      photos_to_hide: hidePhotos ? photos : null,
    })
    if (person)
      await insertPersonTakenOut(trx, {
        id,
        album_id: albumId,
        person_cipher: sealPerson(deps.keyring, id, person),
      })
    await deps.jobs.send(trx, queues.removeFaces, [{ albumId, faceIds }])
    await deps.jobs.send(trx, queues.sendWishes, [{ albumId }])
    await recordEvent({ ...deps, db: trx }, { event: 'guest taken out', album, by })
    return {
      receipt: id,
      at: created_at.toISOString(),
      facesRemoved: gone.length,
      photosToHide: hidePhotos ? photos.length : 0,
      isKeptOut: person !== undefined,
    }
  })
  await removeAtOnce(deps, albumId, faceIds)
  return receipt
}

/** The job does it while an engine is unavailable. */
async function removeAtOnce(deps: Deps, albumId: string, faceIds: string[]): Promise<void> {
  try {
    await removeFromEngines(deps, albumId, faceIds)
  } catch (error) {
    if (!hasCode(error, 'SERVICE_UNAVAILABLE')) throw error
  }
}

/** Removes faces from every engine that has a collection of the album. May be repeated.
 *  @returns false while the former engine is unavailable
 *  @throws AppError SERVICE_UNAVAILABLE while the current engine is unavailable */
export async function removeFromEngines(
  deps: Pick<Deps, 'db' | 'faces' | 'formerFaces'>,
  albumId: string,
  faceIds: string[],
): Promise<boolean> {
  let isDone = true
  for (const engine of await enginesOf(deps.db, albumId)) {
    const removed = await withEngine(deps, engine, async (index) => {
      await index.removeFaces(albumId, faceIds)
      return true
    })
    isDone &&= removed ?? false
  }
  return isDone
}
