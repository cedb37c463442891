import { z } from 'zod'
import { ENGINES } from '../database/schema.ts'
import { definePeriodicQueue, defineQueue } from './queue.ts'

const engine = z.enum(ENGINES)
const onePhoto = z.object({ photoId: z.uuid() })

/** Photos that are indexed again come after all new ones. That may take hours, and a job that expires runs twice. */
const INDEX_AGAIN = {
  payload: onePhoto,
  policy: 'exclusive' as const,
  options: { expireInSeconds: 12 * 3600 },
}

/** How often the job that matches a selfie is tried. The pauses between the tries are about half a minute in all,
 *  enough to replace a dead face worker. There are few, because a visitor waits and the selfie must be deleted soon. */
export const TRIES_TO_MATCH = 5

/** Every queue. Each has its handler in `src/jobs`. */
export const queues = {
  /** One job per photo. Albums take turns: a small one does not wait for a large one. */
  indexPhotos: defineQueue({ name: 'index-photos', payload: onePhoto }),

  /** All letters. What a recipient's mail server does not take now is tried for as long as other work, with pauses of at most an
   *  hour. */
  sendLetter: defineQueue({
    name: 'send-letter',
    payload: z.object({ letterId: z.uuid() }),
    options: { retryDelayMax: 3_600 },
  }),

  /** Separate from the other queues: no selfie waits behind an album. */
  matchSelfie: defineQueue({
    name: 'match-selfie',
    payload: z.object({ submissionId: z.uuid() }),
    options: { retryLimit: TRIES_TO_MATCH - 1 },
  }),

  /** Removes what an erased album has left in storage, in these face engines and in the outbox. */
  eraseAlbum: defineQueue({
    name: 'erase-album',
    payload: z.object({
      albumId: z.uuid(),
      engines: z.array(engine),
      /** The ids of its letters. */
      letters: z.array(z.uuid()),
    }),
  }),

  /** Removes the files of deleted photos, and their faces from every engine that the album is in. */
  removePhotos: defineQueue({
    name: 'remove-photos',
    payload: z.object({ albumId: z.uuid(), photoIds: z.array(z.uuid()) }),
  }),

  /** Removes the faces of an erased opt-out from every engine that the album is in. */
  removeFaces: defineQueue({
    name: 'remove-faces',
    payload: z.object({ albumId: z.uuid(), faceIds: z.array(z.uuid()) }),
  }),

  /** Looks for new photos of a guest who waits for a letter. */
  lookForPhotos: defineQueue({
    name: 'look-for-photos',
    payload: z.object({ alertId: z.uuid() }),
    policy: 'exclusive',
  }),

  /** One job per photo, unless it has one already. Only processes with that face engine run them. */
  reindexInEmbedded: defineQueue({ name: 'reindex-photos-embedded', ...INDEX_AGAIN }),
  reindexInRekognition: defineQueue({ name: 'reindex-photos-rekognition', ...INDEX_AGAIN }),

  /** Removes an album's collection in a face engine that the album has moved away from. */
  removeCollection: defineQueue({
    name: 'remove-collection',
    payload: z.object({ albumId: z.uuid(), engine }),
    policy: 'exclusive',
  }),

  /** Looks for photos that are not in the chosen face engine. */
  moveAlbums: definePeriodicQueue('move-albums', '* * * * *'),
  /** Looks for guests who wait for a letter, in albums that have new photos. */
  lookForNews: definePeriodicQueue('look-for-news', '* * * * *'),
  closeQuietRounds: definePeriodicQueue('close-quiet-rounds', '* * * * *'),
  /** Erases the faces of opt-outs that nobody has undone in time. */
  eraseOptOuts: definePeriodicQueue('erase-opt-outs', '*/5 * * * *'),
  purgeSubmissions: definePeriodicQueue('purge-submissions', '* * * * *'),
  forgetCalls: definePeriodicQueue('forget-calls', '*/10 * * * *'),
  forgetAuditLog: definePeriodicQueue('forget-audit-log', '40 3 * * *'),
}

/** The queue of photos that are to be indexed again in an engine. */
export const REINDEX_QUEUES = {
  embedded: queues.reindexInEmbedded,
  rekognition: queues.reindexInRekognition,
}
