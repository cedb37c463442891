import { createHash } from 'node:crypto'
import { createLog } from '../../log.ts'
import { domainOfFile } from '../../testing/domain.ts'
import { describeFaceIndex } from '../../testing/face-index-conformance.ts'
import { recording } from '../../testing/recorded-faces.ts'
import { BYTES_OF_FACE } from './album-in-memory.ts'
import { createEmbeddedFaceIndex } from './embedded-face-index.ts'
import type { DescribedPhoto } from './networks/engine.ts'
import { createFaceWorkers, type FaceWorkers } from './networks/face-workers.ts'
import { createSearchThread } from './search-thread.ts'

const log = createLog('silent')
const domain = await domainOfFile()

/** A face engine that describes each photo only once, which is faster. */
function createCachingWorkers(): FaceWorkers {
  const workers = createFaceWorkers({ log, size: 1 })
  const known = new Map<string, Promise<DescribedPhoto>>()
  return {
    ...workers,
    describePhoto(image, albumId) {
      const hash = createHash('sha256').update(image).digest('hex')
      const described = known.get(hash) ?? workers.describePhoto(image, albumId)
      known.set(hash, described)
      return described
    },
  }
}

describeFaceIndex('the embedded engine on Postgres', async () => ({
  index: recording(
    createEmbeddedFaceIndex({
      db: domain.db,
      albums: createSearchThread({
        address: domain.address,
        log,
        limits: { maxBytes: 1_000 * BYTES_OF_FACE },
      }),
      workers: createCachingWorkers(),
    }),
    domain,
  ),
  newAlbum: async () => (await domain.newAlbum()).id,
}))
