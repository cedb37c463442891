import type { Db } from '../database/client.ts'
import type { EngineName } from '../database/schema.ts'
import type { FaceIndex } from '../faces/face-index.ts'
import { type FormerFaces, nameOfCollection, withEngine } from '../faces/former-faces.ts'
import type { Log } from '../log.ts'
import type { JobSender } from '../queues/job-sender.ts'
import { queues, REINDEX_QUEUES } from '../queues/queues.ts'
import {
  beginToLeave,
  chosenEngine,
  collectionsToRemove,
  countPhotosToMove,
  findPhotosToMove,
  forgetCollection,
  forgetEngine,
  otherThan,
} from './move-queries.ts'
import { lockAlbum } from './queries.ts'

// How an album moves from one face engine to another.
//
// Photos stay indexed, and so searchable, all the time: each says in which engine its faces are, is found again
// in the chosen engine by a job of its own, and changes over in the transaction that replaces its faces. Searches
// ask both engines (src/search/search-album.ts). A collection goes when no photo is held in it any more.
//
// What decides where to: the worker that was started last (`chosen_engine`), whatever the others are configured
// with. So while processes are replaced one by one, those that are left of the former configuration start nothing
// back, and the jobs of an engine are worked off by its own processes only, in a queue of its own. What the
// remaining ones still index of new uploads goes into their engine, and is moved afterwards. A collection is
// removed only a while after its last photo has left, when they have ended.
//
// Turned back half-way, the photos that have moved are moved back, and the others are where they belong already.

/** Photos that wait in a queue at most: a minute's work for any engine. */
const PHOTOS_AT_ONCE = 5_000
/** Tries, soon a minute apart, until an engine that cannot be had counts as gone for good: a day. */
export const TRIES_FOR_A_LOST_ENGINE = 1_440

/** After this long a rolling restart is over, and with it every process that knows only the former engine. */
const REMOVE_COLLECTION_SECONDS = 900

interface Deps {
  db: Db
  jobs: JobSender
  log: Log
}

/** Sends the next photos that are to be moved to the chosen engine on their way, and the collections that nobody
 *  needs any more to be removed. Run every minute; jobs that are there already are not sent twice. */
export async function moveAlbums({ db, jobs, log }: Deps): Promise<void> {
  const engine = await chosenEngine(db)
  if (!engine) return
  await jobs.dropWaiting(REINDEX_QUEUES[otherThan(engine)])
  const sent = await db.transaction().execute(async (trx) => {
    const photoIds = await findPhotosToMove(trx, engine, PHOTOS_AT_ONCE)
    const payloads = photoIds.map((photoId) => ({ photoId }))
    await jobs.send(trx, REINDEX_QUEUES[engine], payloads)
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

/** Removes an album's collection from an engine that it has moved away from. May be repeated; does nothing when a
 *  photo has come back into it.
 *  @throws Error when something remains, or the engine cannot be had just now, but not for ever */
export async function leaveEngine(
  deps: Deps & { faces: FaceIndex; formerFaces: FormerFaces },
  albumId: string,
  engine: EngineName,
  attempt: number,
): Promise<void> {
  const { db, log } = deps
  const isLeaving = await db.transaction().execute(async (trx) => {
    // Whoever records a photo's faces has the same lock: see settleIndexed.
    await lockAlbum(trx, albumId)
    return await beginToLeave(trx, albumId, engine)
  })
  if (!isLeaving) return
  const remaining = await withEngine(deps, engine, async (index) => {
    await index.deleteCollection(albumId)
    return await index.countFaces(albumId)
  })
  if (remaining === undefined && attempt < TRIES_FOR_A_LOST_ENGINE)
    throw new Error(`A collection stays in ${engine}, which cannot be had just now`)
  if (remaining) throw new Error(`Of a collection in ${engine} ${remaining} faces remain`)
  await forgetCollection(db, albumId, engine)
  if (remaining === undefined) warnOfLeftovers(log, albumId, engine)
  else log.info({ albumId, engine }, 'An album has moved, and its former collection is removed')
}

export function warnOfLeftovers(log: Log, albumId: string, engine: EngineName): void {
  log.warn(
    { albumId, engine },
    `A face engine could not be had for a day and is given up. Delete by hand: ${nameOfCollection(albumId, engine)}`,
  )
}

/** Lets an album's photos be indexed anew in the chosen engine, also those that are in it already.
 *  @returns how many there are */
export async function reindexAlbum(
  { db, jobs }: Pick<Deps, 'db' | 'jobs'>,
  albumId: string,
): Promise<number> {
  return await db.transaction().execute(async (trx) => {
    await lockAlbum(trx, albumId)
    const photos = await forgetEngine(trx, albumId)
    if (photos > 0) await jobs.send(trx, queues.moveAlbums, [{}])
    return photos
  })
}
