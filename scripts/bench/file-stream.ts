/** The yardstick of zips: an HTTP server that sends files one after another and does nothing else.
 *  `node file-stream.ts FOLDER` answers every call with all full-size photos below FOLDER. */
import { createReadStream } from 'node:fs'
import { glob } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'

const folder = process.argv[2]!

const server = createServer(async (_request, response) => {
  // Each file adds some.
  response.setMaxListeners(0)
  for await (const file of glob('**/full', { cwd: folder }))
    await pipeline(createReadStream(join(folder, file)), response, { end: false })
  response.end()
})
server.listen(0, '127.0.0.1', () =>
  console.log(`ready at http://127.0.0.1:${(server.address() as AddressInfo).port}`),
)
process.once('SIGTERM', () => server.close())
