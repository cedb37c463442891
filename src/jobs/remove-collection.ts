import { removeFormerCollection } from '../albums/move.ts'
import { queues } from '../queues/queues.ts'
import { defineHandler } from './define-handler.ts'

export const removeCollection = defineHandler(queues.removeCollection, {
  handle: (deps, { albumId, engine }, { attempt }) => removeFormerCollection(deps, albumId, engine, attempt),
})
