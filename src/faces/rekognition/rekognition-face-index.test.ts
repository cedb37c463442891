import { randomUUID } from 'node:crypto'
import { afterAll } from 'vitest'
import { createLog } from '../../log.ts'
import { describeFaceIndex } from '../../testing/face-index-conformance.ts'
import { createMemoryFaceRecords, indexOn } from '../../testing/rekognition/index-on.ts'
import { recogniseWith } from '../../testing/rekognition/recogniser.ts'
import { startStandInRekognition } from '../../testing/rekognition/stand-in.ts'
import { createFaceWorkers } from '../embedded/networks/face-workers.ts'

const closers: (() => Promise<void>)[] = []
afterAll(async () => {
  for (const close of closers.reverse()) await close()
})

describeFaceIndex('Amazon Rekognition', async () => {
  const workers = createFaceWorkers({ log: createLog('silent'), size: 1 })
  closers.push(() => workers.close())
  const service = await startStandInRekognition({
    recognise: recogniseWith(async (image) => (await workers.describePhoto(image)).faces),
  })
  closers.push(() => service.close())
  const { records, recording } = createMemoryFaceRecords()
  const index = await indexOn(service, { records })
  return { index: recording(index), newAlbum: async () => randomUUID() }
})
