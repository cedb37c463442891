import { randomUUID } from 'node:crypto'
import { createLog } from '../../log.ts'
import { describeFaceIndex } from '../../testing/face-index-conformance.ts'
import { createMemoryDescriptorStore } from '../../testing/memory-descriptor-store.ts'
import { createEmbeddedFaceIndex } from './embedded-face-index.ts'
import { createFaceWorkers } from './face-workers.ts'

describeFaceIndex('the embedded engine', async () => ({
  index: createEmbeddedFaceIndex({
    store: createMemoryDescriptorStore(),
    workers: createFaceWorkers({ log: createLog('silent'), size: 1 }),
  }),
  newAlbum: async () => randomUUID(),
}))
