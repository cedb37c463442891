import { readdir } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { appOfFile } from '../testing/app-of-file.ts'
import { createClient, readSample } from '../testing/client.ts'
import { type RawAnswer, sendRaw } from '../testing/raw-call.ts'

const service = await appOfFile({ work: false })
const owner = createClient(service.url)
const { ownerKey, albumName } = await owner.createAlbum('Anything goes')
const photo = await readSample(1)

const RUNS = 150

/** Sends a request with the owner's session. */
function send(
  method: string,
  path: string,
  headers: Record<string, string>,
  body: Buffer | string,
): Promise<RawAnswer> {
  return sendRaw(service.url, { method, path, headers: { cookie: owner.cookie(), ...headers } }, body)
}

function expectGraceful({ status, text }: RawAnswer): void {
  expect(status, text).toBeLessThan(500)
  if (status < 400) return
  const body = JSON.parse(text)
  expect(body.error).toBe(body.message)
  expect(body.code).toMatch(/^[A-Z_]+$/)
  expect(text).not.toMatch(/node_modules|\.ts:|select .* from|insert into/i)
}

/** Text of all kinds, also such as attackers send. */
const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.constantFrom(
    '',
    '\0',
    '../..',
    '%00',
    '%',
    "'; drop table albums;--",
    '\u202e',
    '\ud800',
    'é'.repeat(3000),
  ),
)

const anyValue = fc.oneof(anyText, fc.jsonValue({ maxDepth: 3 }), fc.constant(1e308), fc.constant([[[[]]]]))

describe('JSON calls', () => {
  const paths = [
    '/api/user-albums',
    `/api/albums/${albumName}/authenticate`,
    `/api/albums/${ownerKey}/finish-upload`,
    `/api/albums/${ownerKey}/password`,
    '/api/gmail/callback',
    '/stop-letters',
    '/photo-letters',
  ]
  const names = 'email albumName displayName password code state id __proto__ constructor'.split(' ')

  test('answer any JSON without a server error', async () => {
    const body = fc.oneof(fc.dictionary(fc.oneof(fc.constantFrom(...names), anyText), anyValue), anyValue)
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...paths), body, async (path, value) => {
        const json = JSON.stringify(value) ?? 'null'
        expectGraceful(await send('POST', path, { 'content-type': 'application/json' }, json))
      }),
      { numRuns: RUNS },
    )
  })

  test('answer any bytes of any content type without a server error', async () => {
    const types = fc.constantFrom(
      'application/json',
      'application/json; charset=utf-16',
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data',
      'multipart/form-data; boundary=',
      'nonsense',
      '',
    )
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...paths),
        types,
        fc.uint8Array({ maxLength: 300 }),
        async (path, type, bytes) => {
          expectGraceful(await send('POST', path, type ? { 'content-type': type } : {}, Buffer.from(bytes)))
        },
      ),
      { numRuns: RUNS },
    )
  })
})

test('addresses with any text are answered without a server error', async () => {
  const shapes: ((text: string) => [string, string])[] = [
    (text) => ['GET', `/api/albums/auth-status/${text}`],
    (text) => ['GET', `/api/albums/by-name/${text}`],
    (text) => ['GET', `/api/albums/${text}/progress`],
    (text) => ['GET', `/api/albums/${text}/coverage`],
    (text) => ['GET', `/api/results/${text}`],
    (text) => ['GET', `/api/photos/${text}`],
    (text) => ['DELETE', `/api/submissions/${text}`],
    (text) => ['DELETE', `/api/albums/${text}`],
    (text) => ['GET', `/photos/${text}/full?e=1&v=1&s=x`],
    (text) => ['GET', `/photos/x/${text}?e=${text}&v=${text}&s=${text}`],
    (text) => ['POST', `/stop-letters?token=${text}`],
    (text) => ['POST', `/photo-letters?token=${text}`],
    (text) => ['GET', `/api/${text}`],
    (text) => ['GET', `/trpc/albums.byName?input=${text}`],
    (text) => ['GET', `/${text}`],
  ]
  // Text as a browser encodes it, and text as an attacker may send it.
  const encoded = anyText.map((text) => encodeURIComponent(text.toWellFormed()))
  const raw = fc.stringMatching(/^[!-~]{0,40}$/)
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...shapes), fc.oneof(encoded, raw), async (shape, text) => {
      const [method, path] = shape(text)
      const { status, text: answer } = await send(method, path, {}, '')
      expect(status, `${method} ${path}: ${answer}`).toBeLessThan(500)
    }),
    { numRuns: 3 * RUNS },
  )
})

describe('forms', () => {
  interface Part {
    name: string
    filename: string | undefined
    body: Buffer
  }

  const part: fc.Arbitrary<Part> = fc.record({
    name: fc.constantFrom(
      ...'photos photo albumName totalIntendedPhotos batchNumber userAlbumId source'.split(' '),
      ...['__proto__', 'constructor', '', 'x'.repeat(500)],
    ),
    filename: fc.oneof(
      fc.constant(undefined),
      fc.constantFrom('a.jpg', '../../a.png', '', '\0.jpg', '😀.jpg', 'a'.repeat(5000)),
    ),
    body: fc.oneof(
      fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
      fc.constantFrom('12', '-1', '1e9', 'NaN', 'party', '').map((text) => Buffer.from(text)),
      fc.nat({ max: 5_000 }).map((length) => photo.subarray(0, length)),
      fc.constant('whole').map(() => photo),
    ),
  })

  const form = fc.record({
    parts: fc.array(part, { maxLength: 20 }),
    boundary: fc.constantFrom('same', 'same', 'same', 'another'),
    cutAt: fc.oneof({ weight: 3, arbitrary: fc.constant(1) }, fc.double({ min: 0, max: 1, noNaN: true })),
  })

  function write(parts: Part[]): Buffer {
    const chunks = parts.flatMap(({ name, filename, body }) => [
      Buffer.from(
        `--same\r\ncontent-disposition: form-data; name="${name}"${filename === undefined ? '' : `; filename="${filename}"`}\r\n\r\n`,
      ),
      body,
      Buffer.from('\r\n'),
    ])
    return Buffer.concat([...chunks, Buffer.from('--same--\r\n')])
  }

  const paths = [
    `/api/albums/${ownerKey}/upload-photos`,
    '/api/search-in-album',
    '/api/submit-photo',
    '/api/user-albums',
  ]

  test('of any shape leave no file behind', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...paths), form, async (path, { parts, boundary, cutAt }) => {
        const whole = write(parts)
        const body = whole.subarray(0, Math.ceil(whole.length * cutAt))
        const type = `multipart/form-data; boundary=${boundary}`
        expectGraceful(await send('POST', path, { 'content-type': type }, body))
      }),
      { numRuns: RUNS },
    )
    expect(await readdir(join(service.dataDir, 'staging'))).toEqual([])
  })
})

describe('hostile requests', () => {
  test('a compressed bomb is not unpacked', async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000))
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' }
    const answer = await send('POST', '/api/user-albums', headers, bomb)
    expect([400, 413, 415]).toContain(answer.status)
    expectGraceful(answer)
  })

  test('values inside values, too many to write down again, are refused over tRPC, in a body, an address and a batch', async () => {
    const lists = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
    const objects = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`
    const create = (calls: string, body: string) =>
      send('POST', `/trpc/${calls}`, { 'content-type': 'application/json' }, body)
    for (const deep of ['['.repeat(60_000), lists(30_000), objects(9_000)]) {
      const alone = await create('albums.create', deep)
      expect([alone.status, JSON.parse(alone.text).error.data.code]).toEqual([400, 'BAD_REQUEST'])
      const part = deep.slice(0, 29_000)
      const both = await create('albums.create,albums.create?batch=1', `{"0":${part},"1":${part}}`)
      expect(both.status).toBe(400)
    }
    for (const deep of ['['.repeat(14_000), lists(7_000), encodeURIComponent(objects(800))]) {
      expect((await owner.get(`/trpc/albums.authStatus?input=${deep}`)).status).toBe(400)
      const batch = encodeURIComponent(`{"0":${decodeURIComponent(deep)}}`).slice(0, 14_000)
      expect((await owner.get(`/trpc/albums.authStatus?batch=1&input=${batch}`)).status).toBe(400)
    }
    const harmless = { email: 'a@example.com', albumName: 'Party', more: { than: ['is', { needed: 1 }] } }
    expect((await owner.post('/api/user-albums', harmless)).status).toBe(200)
  })

  test('what is no readable request is answered, and its connection ends', async () => {
    expect((await send('GET', '/api/albums/list', { 'x-huge': 'x'.repeat(30_000) }, '')).status).toBe(431)
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1')
    socket.write('HELLO\r\n\r\n')
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 400 Bad Request\r\nconnection: close\r\n/)
  })

  test('after all these the service still answers and has logged no fault', async () => {
    expect((await owner.get('/api/albums/list')).status).toBe(200)
    expect(service.logged).toEqual([])
  })
})
