import { randomUUID } from 'node:crypto'
import { afterAll } from 'vitest'
import { createLog } from '../../log.ts'
import { recogniseWith } from '../../testing/rekognition/recogniser.ts'
import { startStandInRekognition } from '../../testing/rekognition/stand-in.ts'
import { describeFaceIndex } from '../conformance.ts'
import { startFaceWorkers } from '../embedded/pool.ts'
import type { Governor } from './governor.ts'
import { createRekognitionFaceIndex } from './rekognition-face-index.ts'

const log = createLog('silent')
const closers: (() => Promise<void>)[] = []
afterAll(async () => {
  for (const close of closers.reverse()) await close()
})

const direct: Governor = { run: (_lane, call) => call(new AbortController().signal), close: async () => {} }

describeFaceIndex('Amazon Rekognition', async () => {
  const workers = await startFaceWorkers({ log, size: 1 })
  closers.push(() => workers.close())
  const service = await startStandInRekognition({
    recognise: recogniseWith((image) => workers.describeFaces(image, 'photo')),
  })
  closers.push(() => service.close())
  const { endpoint, region, credentials } = service
  const index = await createRekognitionFaceIndex({
    client: { endpoint, region, credentials },
    governor: direct,
    log,
  })
  return { index, newAlbum: async () => randomUUID() }
})
