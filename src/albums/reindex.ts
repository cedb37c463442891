import type { AppContext } from '../context.ts'
import type { Db, Trx } from '../database/client.ts'
import type { Album, EngineName } from '../database/schema.ts'
import { withAlbum } from '../database/transaction.ts'
import { AppError } from '../errors.ts'
import { facesIn } from '../faces/both-engines.ts'
import { albumNotFound } from './access.ts'
import { albumsOfAnotherEngine, isToClear, photosToIndex, recordCleared, setEngine } from './queries.ts'

/** Jobs in one statement. */
const JOBS_AT_ONCE = 5_000

/** Has all photos of an album indexed again, in the configured engine. If that is another one than before, searches find each
 *  photo as soon as it is indexed, and a job removes the faces from the engine before.
 *  @returns how many photos there are
 *  @throws AppError NOT_FOUND; CONFLICT while faces of the album are still being removed from this engine */
export async function reindexAlbum(
  { db, jobs, faces }: Pick<AppContext, 'db' | 'faces' | 'jobs'>,
  albumId: string,
): Promise<number> {
  const { engine } = faces
  return await withAlbum(db, albumId, async (trx, album) => {
    if (!album) throw albumNotFound()
    if (album.engines_to_clear.includes(engine))
      throw new AppError(
        'CONFLICT',
        `Faces of the album "${album.slug}" are still being removed from the face engine ${engine}. Try again when that is done.`,
      )
    await setEngine(trx, album, engine)
    if (album.engine && album.engine !== engine)
      await jobs.send(trx, 'clear-engine', [{ albumId, engine: album.engine }])
    return await indexAll(trx, jobs, albumId)
  })
}

/** New photos let an album be searched again whose faces have ended: all its photos are indexed.
 *  @param album locked by this transaction */
export async function restartFaces(trx: Trx, jobs: AppContext['jobs'], album: Album): Promise<void> {
  if (!album.faces_ended_at) return
  await setEngine(trx, album, null)
  await indexAll(trx, jobs, album.id)
}

async function indexAll(trx: Trx, jobs: AppContext['jobs'], albumId: string): Promise<number> {
  const photos = await photosToIndex(trx, albumId)
  await sendToIndex(
    jobs,
    trx,
    photos.map(({ id, isIndexed }) => ({ photoId: id, ...(isIndexed && { again: true as const }) })),
  )
  return photos.length
}

/** Has any number of photos of an album indexed. */
export async function sendToIndex(
  jobs: AppContext['jobs'],
  trx: Trx,
  photos: { photoId: string; again?: true }[],
): Promise<void> {
  for (let start = 0; start < photos.length; start += JOBS_AT_ONCE)
    await jobs.send(trx, 'index-photos', photos.slice(start, start + JOBS_AT_ONCE), { backlog: start })
}

/** Removes the faces of an album from the engine that has indexed it before. May be repeated. Erasing an album does the same,
 *  so nothing is left to do for an erased one.
 *  @throws Error while faces remain; AppError SERVICE_UNAVAILABLE while the engine is unavailable */
export async function clearEngine(
  deps: Pick<AppContext, 'db' | 'faces' | 'log' | 'otherFaces'>,
  albumId: string,
  engine: EngineName,
): Promise<void> {
  const { db, log } = deps
  if (!(await isToClear(db, albumId, engine))) return
  const faces = await facesIn(deps, engine)
  await faces.deleteCollection(albumId)
  const remaining = await faces.countFaces(albumId)
  if (remaining > 0) throw new Error(`${remaining} faces of an album remain in ${engine}`)
  await recordCleared(db, albumId, engine)
  log.info(
    { albumId, engine },
    'The faces of an album are removed from the engine that has indexed it before',
  )
}

/** Names albums in a warning. */
const MOST_NAMES = 5

/** Says in one line which albums another engine than the configured one has indexed.
 *  @returns undefined when there are none */
export async function otherEngineWarning(db: Db, engine: EngineName): Promise<string | undefined> {
  const names = await albumsOfAnotherEngine(db, engine)
  if (names.length === 0) return undefined
  const named = [...names.slice(0, MOST_NAMES), ...(names.length > MOST_NAMES ? ['others'] : [])].join(', ')
  return `Nobody is found in ${named}: another face engine than ${engine} has indexed them. Run npm run album -- reindex NAME, or --all.`
}
