import { randomUUID } from 'node:crypto'
import { afterAll } from 'vitest'
import { createLog } from '../../log.ts'
import { describeFaceIndex } from '../../testing/face-index-conformance.ts'
import { DIRECT } from '../../testing/rekognition/direct-governor.ts'
import { createMemoryFaceRecords } from '../../testing/rekognition/memory-face-records.ts'
import { PICTURES_HERE } from '../../testing/rekognition/pictures-here.ts'
import { recogniseWith } from '../../testing/rekognition/recogniser.ts'
import { startStandInRekognition } from '../../testing/rekognition/stand-in.ts'
import { createFaceWorkers } from '../embedded/face-workers.ts'
import { createRekognitionFaceIndex } from './rekognition-face-index.ts'

const log = createLog('silent')
const closers: (() => Promise<void>)[] = []
afterAll(async () => {
  for (const close of closers.reverse()) await close()
})

describeFaceIndex('Amazon Rekognition', async () => {
  const workers = createFaceWorkers({ log, size: 1 })
  closers.push(() => workers.close())
  const service = await startStandInRekognition({
    recognise: recogniseWith(async (image) => (await workers.describePhoto(image)).faces),
  })
  closers.push(() => service.close())
  const { endpoint, region, credentials } = service
  const { records, recording } = createMemoryFaceRecords()
  const index = await createRekognitionFaceIndex({
    pictures: PICTURES_HERE,
    records,
    client: { endpoint, region, credentials },
    governor: DIRECT,
    log,
  })
  return { index: recording(index), newAlbum: async () => randomUUID() }
})
