import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../src/testing/app.ts'

/** The limit for script and style together, compressed as they are sent. Browsers use brotli over https and on
 *  localhost, otherwise gzip. A KB of it is colours for browsers that do not know oklch (before Chrome 111 and Firefox
 *  113), and what makes a page survive translators and missing code. */
const LANDING_MAX_BYTES = 112 * 1024

/** The compressed size, in bytes, of all scripts and styles that the landing page of a running Inframe names.
 *  @param url without a slash at its end.
 *  @throws Error when the page names too few, or one is not compressed */
async function weighLanding(url: string, encoding: 'br' | 'gzip'): Promise<number> {
  const page = await (await fetch(`${url}/`)).text()
  const paths = new Set(
    [...page.matchAll(/(?:src|href)="(\/assets\/[^"]+\.(?:js|css))"/g)].map(([, path]) => path!),
  )
  if (paths.size < 3) throw new Error(`The landing page names only ${paths.size} scripts and styles`)
  const sizes = await Promise.all(
    [...paths].map(async (path) => {
      const answer = await fetch(url + path, { method: 'HEAD', headers: { 'accept-encoding': encoding } })
      if (answer.headers.get('content-encoding') !== encoding)
        throw new Error(`${path} came without ${encoding}`)
      return Number(answer.headers.get('content-length'))
    }),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}

let service: TestApp

beforeAll(async () => {
  service = await startTestApp({ work: false })
})
afterAll(() => service?.close())

test.each(['br', 'gzip'] as const)('the landing page is light enough in %s', async (encoding) => {
  const bytes = await weighLanding(service.url, encoding)
  expect(bytes).toBeLessThan(LANDING_MAX_BYTES)
  // React and the router alone are two thirds of it: a smaller sum means that something was not counted.
  expect(bytes).toBeGreaterThan(LANDING_MAX_BYTES / 2)
})
