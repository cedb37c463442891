import { clearEngine as clear } from '../albums/reindex.ts'
import { queues } from '../queues/queues.ts'
import { defineHandler } from './define-handler.ts'

export const clearEngine = defineHandler(queues.clearEngine, {
  handle: (deps, { albumId, engine }) => clear(deps, albumId, engine),
})
