import type { AppContext } from '../context.ts'
import type { EngineName } from '../database/schema.ts'
import { withAlbum } from '../database/transaction.ts'
import { AppError } from '../errors.ts'
import { peopleKeptOut, recordFaces, recordGivenUp } from '../photos/face-queries.ts'
import type { FoundFaces } from '../photos/index-faces.ts'
import { keepOptedOut } from '../photos/opted-out.ts'
import { findPhoto } from '../photos/queries.ts'
import { completeIfDone } from './finish.ts'
import { addToCounters } from './queries.ts'

/** Replaces a photo's faces, and completes the album if this photo was the last. One transaction does both, and counts
 *  a photo once, however often its job runs.
 *  @throws AppError SERVICE_UNAVAILABLE when the photo is to be indexed again: the album has another engine now, or somebody
 *    has asked not to be indexed, or has taken that back */
export async function settleIndexed(
  deps: Pick<AppContext, 'db' | 'jobs' | 'keyring'>,
  finding: FoundFaces,
): Promise<void> {
  const { db, jobs } = deps
  const { photo, engine, found } = finding
  const { id: photoId, album_id: albumId } = photo
  await withAlbum(db, albumId, async (trx, locked) => {
    if (!locked) return
    if (locked.engine !== engine)
      throw new AppError('SERVICE_UNAVAILABLE', 'The face engine of this album has changed meanwhile')
    const removeFaces = async (faceIds: string[]) => {
      if (faceIds.length > 0) await jobs.send(trx, 'remove-faces', [{ albumId, faceIds }])
    }
    const foundIds = found.faces.map(({ faceId }) => faceId)
    const before = await findPhoto(trx, photoId)
    // The engine has got the faces of a photo that was deleted while it was searched.
    if (!before) return await removeFaces(foundIds)
    const people = (await peopleKeptOut(trx, albumId)).map(({ id }) => id)
    if ((finding.withoutPeople ?? []).join() !== people.join())
      throw new AppError('SERVICE_UNAVAILABLE', 'Guests of this album have opted out meanwhile, or in again')
    const { settled, toRemove } = await keepOptedOut(trx, finding)
    const idsBefore = await recordFaces(trx, settled)
    // The engine has also kept those that it did not find again.
    const lost = before.engine === engine ? idsBefore.filter((id) => !foundIds.includes(id)) : []
    await removeFaces([...toRemove, ...lost])
    const isWaiting = before.engine === null
    const album = await addToCounters(trx, albumId, {
      settled: isWaiting ? 1 : 0,
      faces: settled.faceCount - (before.face_count ?? 0),
    })
    if (isWaiting) await completeIfDone(trx, deps, album)
  })
}

/** Gives a photo up that the album's engine cannot index, with the reason for the owner, so that the album can complete. A
 *  photo that this engine has indexed before keeps its faces. */
export async function settleGivenUp(
  deps: Pick<AppContext, 'db' | 'jobs' | 'keyring'>,
  photoId: string,
  { engine, reason }: { engine: EngineName; reason: string },
): Promise<void> {
  const { db } = deps
  const photo = await findPhoto(db, photoId)
  if (!photo) return
  await withAlbum(db, photo.album_id, async (trx, locked) => {
    // The first photo of an album may have failed before the engine was recorded.
    if (!locked || (locked.engine !== null && locked.engine !== engine)) return
    const before = await findPhoto(trx, photoId)
    if (before?.engine !== null) return
    await recordGivenUp(trx, photoId, engine, reason)
    const album = await addToCounters(trx, photo.album_id, { settled: 1, faces: -(before.face_count ?? 0) })
    await completeIfDone(trx, deps, album)
  })
}
