/** The yardstick of the HTTP benches: Fastify and nothing else. `node bare-server.ts FOLDER` writes uploads to FOLDER,
 *  and answers every progress call with the same JSON. */
import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import multipart from '@fastify/multipart'
import { fastify } from 'fastify'
import type { Progress } from '../../src/contract/albums.ts'
import { BATCH_SIZE, PHOTO_MAX_BYTES } from '../../src/contract/limits.ts'

const PROGRESS: Progress = {
  totalPhotos: 30,
  photosUploadedToS3: 15,
  photosIndexedToRekognition: 0,
  isUploadingToS3: true,
  isIndexingToRekognition: true,
  isCompleted: false,
  isOfAnotherEngine: false,
  photosPerMinute: 120.5,
  secondsLeft: 15,
}

const folder = process.argv[2]!
await mkdir(folder, { recursive: true })
const app = fastify()
await app.register(multipart, { limits: { files: BATCH_SIZE, fileSize: PHOTO_MAX_BYTES } })

app.post('/api/user-albums', async () => ({ userAlbum: { id: 'any' } }))
app.post('/api/albums/:key/upload-photos', async (request) => {
  let successful = 0
  for await (const part of request.files()) {
    await pipeline(part.file, createWriteStream(join(folder, randomUUID())))
    successful++
  }
  return { successful }
})
app.get('/api/albums/:key/progress', async () => PROGRESS)

console.log(`ready at ${await app.listen({ host: '127.0.0.1', port: 0 })}`)
process.once('SIGTERM', () => void app.close())
