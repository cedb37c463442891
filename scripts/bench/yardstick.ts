/** The yardstick of the HTTP benches: Fastify and nothing else. `node yardstick.ts FOLDER` answers /json always with the
 *  same, and /files with all full-size photos below FOLDER, one after another. */
import { createReadStream, globSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { fastify } from 'fastify'

const folder = process.argv[2]!
const app = fastify()

app.get('/json', async () => ({ totalPhotos: 30, photosUploadedToS3: 15, isUploadingToS3: true }))
app.get('/files', (_request, reply) => reply.send(Readable.from(allFiles(), { objectMode: false })))

async function* allFiles() {
  for (const file of globSync('**/full', { cwd: folder })) yield* createReadStream(join(folder, file))
}

console.log(`ready at ${await app.listen({ host: '127.0.0.1', port: 0 })}`)
process.once('SIGTERM', () => void app.close())
