import { z } from 'zod'
import { leaveEngine } from '../albums/move.ts'
import { defineQueue } from './define-queue.ts'

/** Removes the collection of an album in the face engine that it has moved away from. */
export const removeCollection = defineQueue({
  name: 'remove-collection',
  payload: z.object({ albumId: z.uuid(), engine: z.enum(['embedded', 'rekognition']) }),
  isExclusive: true,
  handle: (deps, { albumId, engine }, { attempt }) => leaveEngine(deps, albumId, engine, attempt),
})
