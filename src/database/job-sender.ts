import type { Trx } from './client.ts'

/** How domain code asks for work to be done later. Each call is part of the given transaction: the job exists
 *  exactly when the rows it speaks of do. */
export interface JobSender {
  /** One job a photo. */
  indexPhotos(trx: Trx, photoIds: string[]): Promise<void>
  /** The letter of a completed upload round. */
  sendLetter(trx: Trx, roundId: string): Promise<void>
  matchSelfie(trx: Trx, submissionId: string): Promise<void>
  /** Removes what an erased album has left: now, and again when every request that was under way has ended. */
  eraseAlbum(trx: Trx, albumId: string): Promise<void>
}
