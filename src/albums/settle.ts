import type { Db } from '../database/client.ts'
import { groupWrites } from '../database/group-writes.ts'
import type { EngineName } from '../database/schema.ts'
import { withAlbum } from '../database/transaction.ts'
import { AppError } from '../errors.ts'
import { collectionsExist } from '../faces/collection-queries.ts'
import { recordFaces, recordRefusal } from '../photos/face-queries.ts'
import type { FoundFaces } from '../photos/findings.ts'
import { keepOptedOut } from '../photos/opted-out.ts'
import { idsOfPeopleKeptOut } from '../photos/opted-out-queries.ts'
import { findPhoto, findPhotos } from '../photos/queries.ts'
import { queues } from '../queues/queues.ts'
import type { SendDeps } from './begin-letter.ts'
import { completeIfDone } from './finish.ts'
import { addToCounters } from './queries.ts'

type Deps = SendDeps & { db: Db }

/** Replaces a photo's faces, and completes the album if this photo was the last. One transaction does both, and counts
 *  a photo once, however often its job runs. Photos of an album that are found together share the transaction, because
 *  all of them change the album's row.
 *  @throws AppError SERVICE_UNAVAILABLE when the photo is to be indexed again: the collection with these faces was removed
 *  meanwhile, or somebody has asked not to be indexed, or has taken that back */
export const settleIndexed = groupWrites(settleAll, ({ photo }: FoundFaces) => photo.album_id)

/** @param all photos of one album */
async function settleAll(deps: Deps, all: FoundFaces[]): Promise<void> {
  const { db, jobs } = deps
  const albumId = all[0]!.photo.album_id
  await withAlbum(db, albumId, async (trx, locked) => {
    if (!locked) return
    // The removal of a collection begins under the same lock, and only when no photo is in it. So either these photos
    // prevent the removal, or they have to be indexed in the next collection.
    const collections = all.map(({ collection }) => collection)
    if (!(await collectionsExist(trx, collections)))
      throw new AppError('SERVICE_UNAVAILABLE', 'The collection of this album has been removed meanwhile')
    // When two jobs have indexed the same photo, the last result counts.
    const findings = new Map(all.map((one) => [one.photo.id, one]))
    const before = await findPhotos(trx, [...findings.keys()])
    const people = (await idsOfPeopleKeptOut(trx, albumId)).join()
    if (before.some(({ id }) => (findings.get(id)!.withoutPeople ?? []).join() !== people))
      throw new AppError('SERVICE_UNAVAILABLE', 'Guests of this album have opted out meanwhile, or in again')
    const { settled: found, toRemove } = await keepOptedOut(
      trx,
      before.map(({ id }) => findings.get(id)!),
    )
    // The engine has got the faces of a photo that was deleted while it was searched.
    for (const { id } of before) findings.delete(id)
    const deleted = [...findings.values()].flatMap(({ found }) => found.faces.map(({ faceId }) => faceId))
    const faceIds = [...toRemove, ...deleted]
    if (faceIds.length > 0) await jobs.send(trx, queues.removeFaces, [{ albumId, faceIds }])
    await recordFaces(trx, found)
    const previews = new Map(found.map(({ photo, previewBytes }) => [photo.id, previewBytes]))
    const settled = before.filter(({ state }) => state === 'stored').length
    const album = await addToCounters(trx, albumId, {
      settled,
      faces:
        sum(found.map(({ faceCount }) => faceCount)) - sum(before.map(({ face_count }) => face_count ?? 0)),
      bytes: sum(before.map(({ id, preview_bytes }) => (previews.get(id) ?? preview_bytes) - preview_bytes)),
    })
    if (settled > 0) await completeIfDone(trx, deps, album)
  })
}

const sum = (counts: number[]) => counts.reduce((total, count) => total + count, 0)

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
