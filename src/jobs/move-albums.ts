import { moveAlbums } from '../albums/move.ts'
import { definePeriodic } from './define-queue.ts'

/** Looks for albums whose photos are not all in the chosen face engine. */
export const moveAlbumsEveryMinute = definePeriodic('move-albums', '* * * * *', (deps) => moveAlbums(deps))
