import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { appOfFile } from '../testing/app-of-file.ts'
import { createClient } from '../testing/client.ts'
import { sendRaw } from '../testing/raw-call.ts'

const HTML = { accept: 'text/html,*/*' }
const PUBLIC = ['/', '/get-started', '/upload-success', '/albums', '/privacy-policy', '/terms-of-service']
const HIDDEN = [
  '/bulk-upload',
  '/album/any',
  '/selfie',
  '/selfie/results',
  '/selfie/results/any',
  '/selfie/no-results',
  '/oauth-helper',
  '/gmail-oauth',
]

const service = await appOfFile({ work: false })
const configured = await appOfFile({
  work: false,
  env: {
    PUBLIC_URL: 'https://photos.example.com',
    PHOTO_LIBRARY_URL: 'https://library.example.com/?a=1&b="><script>',
    ANALYTICS_MEASUREMENT_ID: 'G-AB12CD34EF',
  },
})

async function load(path: string, { url = service.url, ...headers }: Record<string, string> = {}) {
  const answer = await fetch(url + path, { headers: { ...HTML, ...headers } })
  return { status: answer.status, headers: answer.headers, text: await answer.text() }
}

const contentOf = (html: string, name: string) =>
  new RegExp(`<meta (?:name|property)="${name}" content="([^"]*)"`).exec(html)?.[1]
const titleOf = (html: string) => /<title>([^<]*)<\/title>/.exec(html)?.[1]

/** The answer as it is sent: fetch would unpack it. */
const loadRaw = (path: string, headers: Record<string, string>) =>
  sendRaw(service.url, { method: 'GET', path, headers })

describe('the pages', () => {
  test.each([...PUBLIC, ...HIDDEN])(
    '%s is available, and only public pages to search engines',
    async (path) => {
      const { status, headers, text } = await load(path)
      expect(status).toBe(200)
      expect(headers.get('x-robots-tag')).toBe(HIDDEN.includes(path) ? 'noindex, nofollow' : null)
      // The web app removes its mark on leaving. A mark that the server wrote would stay.
      expect(contentOf(text, 'robots')).toBeUndefined()
    },
  )

  const redirectOf = async (path: string) => {
    const { status, headers } = await fetch(service.url + path, { headers: HTML, redirect: 'manual' })
    return [status, headers.get('location'), headers.get('cache-control')]
  }

  test('are reached with a slash at the end, and by a changed link to an album', async () => {
    expect(await redirectOf('/privacy-policy/?a=1/')).toEqual([301, '/privacy-policy?a=1/', null])
    const album = [301, '/album/garden-party?photos=all', null]
    expect(await redirectOf('/Album/Garden-Party.?photos=all')).toEqual(album)
  })

  test('a key whose # was encoded comes back behind the #, and no browser keeps the answer', async () => {
    const key = [302, '/album/garden-party#owner-key=abc', 'no-store']
    expect(await redirectOf('/album/garden-party%23owner-key%3Dabc')).toEqual(key)
  })

  test('a broken % gives a browser a page, and a call its error', async () => {
    for (const path of ['/albums/%', '/selfie/results/a/%E0%A4%A'])
      expect(await load(path), path).toMatchObject({ status: 404, text: expect.stringContaining('<html') })
    const call = await load('/api/albums/auth-status/%')
    expect([call.status, JSON.parse(call.text).code]).toEqual([400, 'BAD_REQUEST'])
  })

  test('any other path answers 404 with the 404 page', async () => {
    for (const path of ['/nothing/', '/selfie/other', '/album', '/index.html']) {
      const { status, headers, text } = await load(path)
      expect([path, status]).toEqual([path, 404])
      expect(headers.get('x-robots-tag')).toBe('noindex, nofollow')
      expect(titleOf(text)).toBe('Page Not Found · Inframe')
    }
  })

  test('an address that is no page answers 404 in JSON', async () => {
    expect(await createClient(service.url).get('/nothing')).toMatchObject({
      status: 404,
      body: { code: 'NOT_FOUND' },
    })
    expect((await load('/assets/gone.js')).headers.get('content-type')).toMatch(/json/)
  })

  test('contain nothing that the content policy forbids', async () => {
    for (const path of ['/', '/privacy-policy', '/terms-of-service', '/albums', '/nothing']) {
      const { text } = await load(path)
      expect(text).not.toMatch(/<style|\sstyle=|<script(?![^>]* src=)|\son[a-z]+="/)
    }
  })
})

describe('previews of links', () => {
  test('have absolute addresses that begin like the address of the request', async () => {
    const { text } = await load('/albums?utm=1&x="y"')
    expect(contentOf(text, 'og:url')).toBe(`${service.url}/albums`)
    expect(contentOf(text, 'og:title')).toBe('Browse Photo Albums · Inframe')
    expect(contentOf(text, 'og:description')).toMatch(/selfie/)
    expect(contentOf(text, 'twitter:card')).toBe('summary_large_image')

    const picture = await fetch(contentOf(text, 'og:image')!)
    const { format, width, height } = await sharp(Buffer.from(await picture.arrayBuffer())).metadata()
    expect({ format, width, height }).toEqual({ format: 'png', width: 1200, height: 630 })
  })

  test('begin with PUBLIC_URL where it is set', async () => {
    const { text } = await load('/', { url: configured.url })
    expect(contentOf(text, 'og:url')).toBe('https://photos.example.com/')
    expect(contentOf(text, 'og:image')).toMatch(/^https:\/\/photos\.example\.com\/social\.png$/)
  })

  test('invite to an album by its name, and say nothing else about it', async () => {
    const client = createClient(service.url)
    const { albumName } = await client.createAlbum('Ada & "Tom" <3 $&')
    const { album } = (await client.get(`/api/albums/by-name/${albumName}`)).body
    const { text } = await load(`/album/${albumName}`)
    expect(contentOf(text, 'og:title')).toBe('Find yourself in Ada &amp; &quot;Tom&quot; &lt;3 $&amp;')
    expect(titleOf(text)).toBe('Ada &amp; &quot;Tom&quot; &lt;3 $&amp; · Inframe')
    expect(text).not.toContain(album.albumPassword)
    expect(text).not.toContain(album.id)
  })
})

describe('the settings of the installation in a page', () => {
  test('are left out when they are unset', async () => {
    const { text, headers } = await load('/')
    expect(contentOf(text, 'inframe-photo-library')).toBeUndefined()
    expect(contentOf(text, 'inframe-analytics-id')).toBeUndefined()
    expect(contentOf(text, 'inframe-album-holds')).toBe('100000 500')
    expect(headers.get('content-security-policy')).not.toMatch(/google/)
  })

  test('are in the page, escaped, and let the tag in', async () => {
    const { text, headers } = await load('/selfie', { url: configured.url })
    expect(contentOf(text, 'inframe-photo-library')).toBe(
      'https://library.example.com/?a=1&amp;b=&quot;&gt;&lt;script&gt;',
    )
    expect(contentOf(text, 'inframe-analytics-id')).toBe('G-AB12CD34EF')
    const policy = headers.get('content-security-policy')!
    expect(policy).toMatch(/script-src 'self' https:\/\/www\.googletagmanager\.com;/)
    for (const directive of ['connect-src', 'img-src'])
      expect(policy).toMatch(new RegExp(`${directive} 'self'[^;]* https://\\*\\.google-analytics\\.com `))
  })
})

describe('caching and compression', () => {
  test('a browser asks for a page each time, and gets it again only when it has changed', async () => {
    const first = await load('/')
    expect(first.headers.get('cache-control')).toBe('no-cache')
    const again = await load('/', { 'if-none-match': first.headers.get('etag')! })
    expect([again.status, again.text]).toEqual([304, ''])
    expect((await load('/albums', { 'if-none-match': first.headers.get('etag')! })).status).toBe(200)
  })

  test('pages and assets are sent in the encoding that the client accepts', async () => {
    const page = (await load('/')).text
    const script = /<script type="module" crossorigin src="([^"]+)"/.exec(page)![1]!
    for (const path of ['/', script]) {
      const plain = await loadRaw(path, { ...HTML, 'accept-encoding': 'identity' })
      const brotli = await loadRaw(path, { ...HTML, 'accept-encoding': 'gzip, deflate, br' })
      const gzip = await loadRaw(path, { ...HTML, 'accept-encoding': 'gzip, br;q=0' })
      expect(plain.headers['content-encoding']).toBeUndefined()
      expect(brotliDecompressSync(brotli.bytes).equals(plain.bytes)).toBe(true)
      expect(gunzipSync(gzip.bytes).equals(plain.bytes)).toBe(true)
      for (const { headers } of [plain, brotli, gzip]) expect(headers.vary).toMatch(/accept-encoding/i)
    }
  })

  test('what has a hash in its name is kept for a year: scripts, styles, the font, pictures', async () => {
    const { text } = await load('/')
    const paths = [...text.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path]) => path!)
    for (const kind of [/\.js$/, /\.css$/, /\.woff2$/, /\.svg$/])
      expect(paths.some((path) => kind.test(path))).toBe(true)
    for (const path of paths) {
      const { status, headers } = await load(path)
      expect([path, status]).toEqual([path, 200])
      expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    }
  })

  test('the font is preloaded without credentials, as browsers load fonts', async () => {
    expect((await load('/')).text).toMatch(
      /<link\s+rel="preload"\s+as="font"\s+type="font\/woff2"\s+href="\/assets\/figtree-latin-[^"]+\.woff2"\s+crossorigin/,
    )
  })
})
