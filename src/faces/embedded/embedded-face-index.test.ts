import { randomUUID } from 'node:crypto'
import { createLog } from '../../log.ts'
import { describeFaceIndex } from '../../testing/face-index-conformance.ts'
import { createMemoryDescriptorStore } from '../../testing/memory-descriptor-store.ts'
import { createEmbeddedFaceIndex } from './embedded-face-index.ts'

describeFaceIndex('the embedded engine', async () => ({
  index: await createEmbeddedFaceIndex({
    store: createMemoryDescriptorStore(),
    log: createLog('silent'),
    workers: 1,
  }),
  newAlbum: async () => randomUUID(),
}))
