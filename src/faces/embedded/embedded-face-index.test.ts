import { randomUUID } from 'node:crypto'
import { createLog } from '../../log.ts'
import { describeFaceIndex } from '../conformance.ts'
import { createEmbeddedFaceIndex } from './embedded-face-index.ts'
import { createMemoryDescriptorStore } from './memory-descriptor-store.ts'

describeFaceIndex('the embedded engine', async () => ({
  index: await createEmbeddedFaceIndex({
    store: createMemoryDescriptorStore(),
    log: createLog('silent'),
    workers: 1,
  }),
  newAlbum: async () => randomUUID(),
}))
