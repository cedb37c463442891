import type { Db } from '../database/client.ts'
import type { EngineName } from '../database/schema.ts'
import { withAlbum } from '../database/transaction.ts'
import { AppError } from '../errors.ts'
import { collectionsExist } from '../faces/collection-queries.ts'
import type { LetterDeps } from '../letters/request.ts'
import { recordFaces, recordRefusal } from '../photos/face-queries.ts'
import type { FoundFaces } from '../photos/findings.ts'
import { keepOptedOut } from '../photos/opted-out.ts'
import { peopleKeptOut } from '../photos/opted-out-queries.ts'
import { findPhoto } from '../photos/queries.ts'
import { queues } from '../queues/queues.ts'
import { completeIfDone } from './finish.ts'
import { addToCounters } from './queries.ts'

type Deps = LetterDeps & { db: Db }

/** Replaces a photo's faces, and completes the album if this photo was the last. One transaction does both, and counts
 *  a photo once, however often its job runs.
 *  @throws AppError SERVICE_UNAVAILABLE when the photo is to be indexed again: the collection with these faces was removed
 *  meanwhile, or somebody has asked not to be indexed, or has taken that back */
export async function settleIndexed(deps: Deps, finding: FoundFaces): Promise<void> {
  const { db, jobs } = deps
  const { id: photoId, album_id: albumId } = finding.photo
  await withAlbum(db, albumId, async (trx, locked) => {
    if (!locked) return
    // The removal of a collection begins under the same lock, and only when no photo is in it. So either this photo
    // prevents the removal, or it has to be indexed in the next collection.
    if (!(await collectionsExist(trx, [finding.collection])))
      throw new AppError('SERVICE_UNAVAILABLE', 'The collection of this album has been removed meanwhile')
    const before = await findPhoto(trx, photoId)
    if (!before) {
      // The engine has got the faces of a photo that was deleted while it was searched.
      const faceIds = finding.found.faces.map(({ faceId }) => faceId)
      if (faceIds.length > 0) await jobs.send(trx, queues.removeFaces, [{ albumId, faceIds }])
      return
    }
    const people = (await peopleKeptOut(trx, albumId)).map(({ id }) => id)
    if ((finding.withoutPeople ?? []).join() !== people.join())
      throw new AppError('SERVICE_UNAVAILABLE', 'Guests of this album have opted out meanwhile, or in again')
    const { settled, toRemove } = await keepOptedOut(trx, finding)
    if (toRemove.length > 0) await jobs.send(trx, queues.removeFaces, [{ albumId, faceIds: toRemove }])
    await recordFaces(trx, settled)
    const isFirst = before.state === 'stored'
    const album = await addToCounters(trx, albumId, {
      settled: isFirst ? 1 : 0,
      faces: settled.faceCount - (before.face_count ?? 0),
      bytes: (settled.previewBytes ?? before.preview_bytes) - before.preview_bytes,
    })
    if (isFirst) await completeIfDone(trx, deps, album)
  })
}

/** Records that an engine cannot index a photo, with the reason for the owner. A photo that was never indexed is given
 *  up, so that its album can complete. An indexed photo keeps its faces. */
export async function settleGivenUp(
  deps: Deps,
  photoId: string,
  { engine, reason }: { engine: EngineName; reason: string },
): Promise<void> {
  const { db } = deps
  const photo = await findPhoto(db, photoId)
  if (!photo) return
  await withAlbum(db, photo.album_id, async (trx, locked) => {
    if (!locked) return
    const before = await findPhoto(trx, photoId)
    if (!before || before.engine === engine) return
    await recordRefusal(trx, photoId, engine, reason)
    if (before.state !== 'stored') return
    const album = await addToCounters(trx, photo.album_id, { settled: 1 })
    await completeIfDone(trx, deps, album)
  })
}
