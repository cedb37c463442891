import type { Trx } from './client.ts'
import type { EngineName } from './schema.ts'

/** How domain code asks for work to be done later. Each call is part of the given transaction: the job exists
 *  exactly when the rows it speaks of do. */
export interface JobSender {
  /** One job a photo. */
  indexPhotos(trx: Trx, photoIds: string[]): Promise<void>
  /** The letter of a completed upload round. */
  sendLetter(trx: Trx, roundId: string): Promise<void>
  matchSelfie(trx: Trx, submissionId: string): Promise<void>
  /** Removes what an erased album has left, in these engines too: now, and again when every request that was
   *  under way has ended. */
  eraseAlbum(trx: Trx, albumId: string, engines: EngineName[]): Promise<void>
  /** One job a photo, unless it has one already. */
  reindexPhotos(trx: Trx, engine: EngineName, photoIds: string[]): Promise<void>
  /** Drops those that wait in a queue, since nobody works it off now. */
  dropReindexing(engine: EngineName): Promise<void>
  /** Removes the collection in an engine that an album has moved away from, when processes of the former
   *  configuration have had time to end; one job at a time. */
  removeCollection(trx: Trx, albumId: string, engine: EngineName): Promise<void>
  /** Looks for photos to be moved now, not at the next full minute. */
  moveAlbums(trx: Trx): Promise<void>
}
