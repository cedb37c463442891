import type { Db } from '../database/client.ts'
import type { EngineName } from '../database/schema.ts'
import { withAlbum } from '../database/transaction.ts'
import type { FaceIndex } from '../faces/face-index.ts'
import { type FormerFaces, nameOfCollection, withEngine } from '../faces/former-faces.ts'
import type { Log } from '../log.ts'
import type { JobSender } from '../queues/job-sender.ts'
import { queues, REINDEX_QUEUES } from '../queues/queues.ts'
import {
  beginRemoval,
  chosenEngine,
  collectionsToRemove,
  countPhotosToMove,
  findPhotosToMove,
  forgetCollection,
  forgetEngine,
  otherThan,
} from './move-queries.ts'

// How an album moves from one face engine to another.
//
// Photos stay indexed and searchable all the time. Each photo's row names the engine that has its faces. A job
// indexes the photo in the chosen engine, and the transaction that replaces its faces changes the row. Searches ask
// both engines (src/search/photos-like.ts). A collection is removed when no photo has faces in it.
//
// The worker that was started last decides which engine is chosen (`chosen_engine`), even if other processes have
// another setting. So while processes are replaced one by one, the old ones move nothing back. Each engine's jobs
// are in a queue of its own, and only its own processes run them. The old processes still index new uploads in their
// engine, and these photos are moved later. A collection is removed some time after its last photo has moved, when
// the old processes have ended.
//
// If the setting is changed back halfway, the moved photos are moved back, and the others stay where they are.

/** The most photos that wait in a queue: a minute's work for any engine. */
const PHOTOS_AT_ONCE = 5_000
/** Attempts until an unavailable engine counts as lost. They are soon a minute apart, so this takes a day. */
export const ATTEMPTS_UNTIL_ENGINE_IS_LOST = 1_440

/** After this time a rolling restart is over, and all processes that know only the former engine have ended. */
const REMOVE_COLLECTION_SECONDS = 900

interface Deps {
  db: Db
  jobs: JobSender
  log: Log
}

/** Sends jobs that move the next photos to the chosen engine, and jobs that remove collections which are no longer
 *  needed. Runs every minute. Jobs that are already waiting are not sent twice. */
export async function moveAlbums({ db, jobs, log }: Deps): Promise<void> {
  const engine = await chosenEngine(db)
  if (!engine) return
  await jobs.dropWaiting(REINDEX_QUEUES[otherThan(engine)])
  const sent = await db.transaction().execute(async (trx) => {
    const photoIds = await findPhotosToMove(trx, engine, PHOTOS_AT_ONCE)
    const payloads = photoIds.map((photoId) => ({ photoId }))
    // They are in the order in which albums take turns.
    await jobs.send(trx, REINDEX_QUEUES[engine], payloads, { backlog: 0 })
    return photoIds.length
  })
  if (sent > 0) log.info({ engine, left: await countPhotosToMove(db, engine) }, 'Photos are moving')
  for (const { album_id, engine: former } of await collectionsToRemove(db, engine))
    await db.transaction().execute((trx) =>
      jobs.send(trx, queues.removeCollection, [{ albumId: album_id, engine: former }], {
        afterSeconds: REMOVE_COLLECTION_SECONDS,
      }),
    )
}

/** Removes an album's collection from its former engine. May be repeated. Does nothing when a photo is in the
 *  collection again.
 *  @throws Error when something remains, or while the engine is unavailable, until it counts as lost */
export async function removeFormerCollection(
  deps: Deps & { faces: FaceIndex; formerFaces: FormerFaces },
  albumId: string,
  engine: EngineName,
  attempt: number,
): Promise<void> {
  const { db, log } = deps
  const isLeaving = await withAlbum(db, albumId, (trx) =>
    // settleIndexed records a photo's faces under the same lock.
    beginRemoval(trx, albumId, engine),
  )
  if (!isLeaving) return
  const remaining = await withEngine(deps, engine, async (index) => {
    await index.deleteCollection(albumId)
    return await index.countFaces(albumId)
  })
  if (remaining === undefined && attempt < ATTEMPTS_UNTIL_ENGINE_IS_LOST)
    throw new Error(`A collection stays in ${engine}, which is currently unavailable`)
  if (remaining) throw new Error(`${remaining} faces remain in a collection in ${engine}`)
  await forgetCollection(db, albumId, engine)
  if (remaining === undefined) warnOfLeftovers(log, albumId, engine)
  else log.info({ albumId, engine }, 'An album has moved, and its former collection is removed')
}

/** Warns that a collection is given up and has to be deleted by hand. */
export function warnOfLeftovers(log: Log, albumId: string, engine: EngineName): void {
  log.warn(
    { albumId, engine },
    `A face engine was unavailable for a day, and its collection is given up. Delete by hand: ${nameOfCollection(albumId, engine)}`,
  )
}

/** Has all photos of an album indexed again in the chosen engine, also those that are already in it.
 *  @returns how many photos there are */
export async function reindexAlbum(
  { db, jobs }: Pick<Deps, 'db' | 'jobs'>,
  albumId: string,
): Promise<number> {
  return await withAlbum(db, albumId, async (trx) => {
    const photos = await forgetEngine(trx, albumId)
    if (photos > 0) await jobs.send(trx, queues.moveAlbums, [{}])
    return photos
  })
}
