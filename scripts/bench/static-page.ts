import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { undoLater } from './cleanup.ts'
import type { Kind } from './cold-load.ts'

/** A text of the bare page, to wait for. */
export const STATIC_TEXT = 'A bare page'

/** Serves the yardstick: a page of text with one style, one script, one font and one picture that do nothing. Each is
 *  as large as all files of its kind on the measured page.
 *  @param bytes those of the measured page
 *  @returns the address of the yardstick. */
export async function serveStaticPage(bytes: Record<Kind, number>): Promise<string> {
  const files: Record<string, { type: string; body: Buffer }> = {
    '/style': { type: 'text/css', body: comment(bytes.style) },
    '/script': { type: 'text/javascript', body: comment(bytes.script) },
    '/font': { type: 'font/woff2', body: randomBytes(bytes.font) },
    '/image': { type: 'image/png', body: randomBytes(bytes.image) },
  }
  files['/'] = { type: 'text/html', body: Buffer.from(page(bytes)) }
  const server = createServer((request, response) => {
    const file = files[request.url!]
    if (!file) return response.writeHead(404).end()
    response.writeHead(200, { 'content-type': file.type, 'content-length': file.body.length }).end(file.body)
  })
  undoLater(async () => {
    server.closeAllConnections()
    server.close()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

function page(bytes: Record<Kind, number>): string {
  const head = `<!doctype html><title>Bare</title><meta name="viewport" content="width=device-width">
<link rel="icon" href="data:,"><link rel="stylesheet" href="/style"><script src="/script" defer></script>
${bytes.font ? '<link rel="preload" as="font" type="font/woff2" href="/font" crossorigin>' : ''}
<h1>${STATIC_TEXT}</h1><p>${'Text of the page. '.repeat(20)}</p>
${bytes.image ? '<img src="/image" alt="" width="360" height="240">' : ''}`
  return `${head}<!--${'-'.repeat(Math.max(0, bytes.page - head.length - 7))}-->`
}

/** A comment for a script or a style. It is random, like compressed bytes. */
function comment(length: number): Buffer {
  const text = randomBytes(length)
    .toString('base64url')
    .slice(0, Math.max(0, length - 4))
  return Buffer.from(`/*${text}*/`)
}
