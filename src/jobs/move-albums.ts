import { moveAlbums } from '../albums/move.ts'
import { queues } from '../queues/queues.ts'
import { defineHandler } from './define-handler.ts'

export const moveAlbumsEveryMinute = defineHandler(queues.moveAlbums, {
  handle: (deps) => moveAlbums(deps),
})
