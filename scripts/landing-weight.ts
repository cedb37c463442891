/** How many bytes of script and style a visitor loads before the landing page works. */

/** The limit for script and style together, compressed as they are sent. Browsers use brotli over https and on
 *  localhost, otherwise gzip. A KB of it is colours for browsers that do not know oklch (before Chrome 111 and Firefox
 *  113), and what makes a page survive translators and missing code. */
export const LANDING_MAX_BYTES = 112 * 1024

/** The compressed size, in bytes, of all scripts and styles that the landing page of a running Inframe names.
 *  @param url without a slash at its end.
 *  @throws Error when the page names too few, or one is not compressed */
export async function weighLanding(url: string, encoding: 'br' | 'gzip'): Promise<number> {
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
