import type { Remains } from '../contract/albums.ts'
import type { Db } from '../database/client.ts'
import type { JobSender } from '../database/job-sender.ts'
import { AppError } from '../errors.ts'
import type { FaceIndex } from '../faces/face-index.ts'
import type { FileStorage } from '../storage/file-storage.ts'
import { countRowsOfAlbum, deleteAlbum, lockAlbum } from './queries.ts'

interface Deps {
  db: Db
  storage: FileStorage
  faces: FaceIndex
  jobs: JobSender
}

/** Erases an album: its rows at once, in the transaction that also asks for the jobs which remove files and
 *  faces should this process die; then files and faces, here and now.
 *  @returns what is found when all places are looked at again. */
export async function eraseAlbum(deps: Deps, albumId: string): Promise<Remains> {
  await deps.db.transaction().execute(async (trx) => {
    if (!(await lockAlbum(trx, albumId))) return
    await deleteAlbum(trx, albumId)
    await deps.jobs.eraseAlbum(trx, albumId)
  })
  try {
    return await removeRemains(deps, albumId)
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'SERVICE_UNAVAILABLE')) throw error
    // The job goes on trying, and logs what is in its way.
    return await findRemains(deps, albumId)
  }
}

/** Removes the faces and files of an album whose rows are gone. May be repeated. */
export async function removeRemains(deps: Omit<Deps, 'jobs'>, albumId: string): Promise<Remains> {
  await deps.faces.deleteCollection(albumId)
  await deps.storage.deleteFolder(folderOf(albumId))
  return await findRemains(deps, albumId)
}

async function findRemains({ db, storage, faces }: Omit<Deps, 'jobs'>, albumId: string): Promise<Remains> {
  return {
    rowsRemaining: await countRowsOfAlbum(db, albumId),
    filesRemaining: await storage.count(folderOf(albumId)),
    facesRemaining: await faces.countFaces(albumId),
  }
}

const folderOf = (albumId: string) => `albums/${albumId}/`
