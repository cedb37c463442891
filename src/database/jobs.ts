import type { Trx } from './client.ts'
import type { EngineName } from './schema.ts'

/** The jobs that the code sends, by the names of their queues. Payloads hold ids and hashes only, since ended jobs stay in the
 *  database for an hour. What the jobs do is in `src/jobs`. */
export interface JobPayloads {
  /** `again`: also when the photo is indexed already. */
  'index-photos': { photoId: string; again?: boolean | undefined }
  'send-letter': { letterId: string }
  'match-selfie': { submissionId: string }
  /** `letters`: the ids of the album's letters. */
  'erase-album': { albumId: string; engines: EngineName[]; letters: string[] }
  /** `hashes`: of the photos, in hex. */
  'remove-photos': { albumId: string; photoIds: string[]; hashes: string[] }
  'remove-faces': { albumId: string; faceIds: string[] }
  'clear-engine': { albumId: string; engine: EngineName }
  'look-for-photos': { alertId: string }
}
export type JobName = keyof JobPayloads

export interface SendOptions {
  /** The jobs may begin after this many seconds. */
  afterSeconds?: number
  /** How many earlier jobs of the same album are not done yet. It lets albums take turns: the first job of each comes before
   *  the second of any. Without it, the jobs that were sent first come first. */
  backlog?: number
  /** Jobs of one group do not take all places of their queue. */
  group?: string
}

/** How a room asks for work to be done later. */
export interface JobSender {
  /** Sends one job per payload as part of the transaction: the jobs exist exactly when its rows do. */
  send<Name extends JobName>(
    trx: Trx,
    queue: Name,
    payloads: JobPayloads[Name][],
    options?: SendOptions,
  ): Promise<void>
}
