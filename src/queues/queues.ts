import { z } from 'zod'
import { ENGINES } from '../database/schema.ts'
import { defineLetterQueue, definePeriodicQueue, defineQueue } from './queue.ts'

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

  /** The letter of a completed upload round. */
  sendLetter: defineLetterQueue({ name: 'send-letter', payload: z.object({ roundId: z.uuid() }) }),

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

  /** The letter that tells the owner of opt-outs. */
  tellOptOuts: defineLetterQueue({
    name: 'tell-opt-outs',
    payload: z.object({ albumId: z.uuid() }),
    policy: 'exclusive',
  }),

  /** Removes letters whose links have ended from the outbox. */
  removeLetters: defineQueue({ name: 'remove-letters', payload: z.object({ letters: z.array(z.uuid()) }) }),

  /** The letter that asks a new address of an album to confirm it. */
  confirmNewAddress: defineLetterQueue({
    name: 'confirm-new-address',
    payload: z.object({ changeId: z.uuid() }),
  }),

  /** The notice to the former address of an album. */
  tellFormerAddress: defineLetterQueue({
    name: 'tell-former-address',
    payload: z.object({ changeId: z.uuid() }),
  }),

  /** The letter that asks a guest to confirm an address. */
  askToConfirm: defineLetterQueue({ name: 'ask-to-confirm', payload: z.object({ alertId: z.uuid() }) }),

  /** The letter that says to a guest how many new photos there are, if there are any. */
  sendNews: defineLetterQueue({
    name: 'send-news',
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
  /** Erases the faces of opt-outs that nobody has undone in time, and looks for those that no letter has named. */
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
