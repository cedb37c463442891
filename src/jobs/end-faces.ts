import { endFaces as end } from '../albums/end-faces.ts'
import { definePeriodicQueue } from './define-queue.ts'

/** Ends the face search of albums whose last upload was long enough ago. */
export const endFaces = definePeriodicQueue('end-faces', '20 4 * * *', end)
