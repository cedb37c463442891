import { describe, expect, test } from 'vitest'
import { RATE_LIMITS } from '../albums/rate-limits.ts'
import {
  albumName,
  owner as client,
  createAlbumForEachTest,
  ownerKey,
  service,
} from '../testing/album-for-each-test.ts'
import { createClient, readSample, sampleUploads } from '../testing/client.ts'
import { expectError } from '../testing/expect-error.ts'
import { postRaw } from '../testing/raw-call.ts'

createAlbumForEachTest({ work: false })

describe('creating an album', () => {
  test('malformed JSON', async () => {
    const answer = await postRaw(
      service.url,
      '/api/user-albums',
      { 'content-type': 'application/json' },
      '{"email":',
    )
    expectError(answer, 400, /not valid JSON/)
  })

  test('a body that is not JSON', async () => {
    expectError(
      await postRaw(service.url, '/api/user-albums', { 'content-type': 'text/plain' }, 'hello'),
      415,
      /content/i,
    )
    expectError(await postRaw(service.url, '/api/user-albums', {}, ''), 415, /content/i)
  })

  test('several faults are one text, with one period between two sentences', async () => {
    const answer = await client.post('/api/albums/party/alerts', { consentVersion: 0 })
    expectError(answer, 400, /and no letters are sent\. consentVersion must be/)
  })

  test('each missing field is named', async () => {
    const answer = await client.post('/api/user-albums', {})
    expectError(answer, 400, /enter an email address.*enter an album name/i)
    expect(answer.body.issues.map((issue: { path: string[] }) => issue.path[0])).toEqual([
      'email',
      'albumName',
    ])
  })

  test.each([
    ['no address', { email: 'not an address' }],
    ['a very long address', { email: `${'a'.repeat(250)}@example.com` }],
    ['an address with a line break', { email: 'a@example.com\nBcc: all@example.com' }],
    ['an address that ends in a line break', { email: 'a@example.com\r\n' }],
    ['a very long name', { albumName: 'x'.repeat(121) }],
    ['a name of blanks', { albumName: '   ' }],
    ['a name with a line break', { albumName: 'Party\nBcc: all@example.com' }],
    ['a name that is not text', { albumName: { $ne: null } }],
    ['a display name with a line break', { displayName: 'Party\nX: y' }],
  ])('%s', async (_what, wrong) => {
    const input = { email: 'owner@example.com', albumName: 'Party', ...wrong }
    expectError(await client.post('/api/user-albums', input), 400, /./)
  })

  test('a very long body is refused', async () => {
    const answer = await client.post('/api/user-albums', { email: 'x'.repeat(100_000) })
    expectError(answer, 413, /too large/)
  })
})

describe('values inside values, too many to write down again', () => {
  const lists = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
  const objects = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`
  const json = { 'content-type': 'application/json' }

  test.each([
    ['60 KB of [', '['.repeat(60_000)],
    ['lists', lists(30_000)],
    ['objects', objects(9_000)],
    ['an album beside lists', `{"email":"a@example.com","albumName":"Deep","x":${lists(30_000)}}`],
    ['an email of lists', `{"email":${lists(30_000)},"albumName":"Deep"}`],
  ])('%s are refused in a REST call', async (_what, body) => {
    const paths = ['/api/user-albums', `/api/albums/${albumName}/authenticate`, '/api/gmail/callback']
    for (const path of paths)
      expectError(await postRaw(service.url, path, json, body), 400, /not valid JSON|nested too deeply/)
  })

  test('are refused over tRPC, in a body, an address and a batch', async () => {
    for (const deep of ['['.repeat(60_000), lists(30_000), objects(9_000)]) {
      const alone = await postRaw(service.url, '/trpc/albums.create', json, deep)
      expect([alone.status, alone.body.error.data.code]).toEqual([400, 'BAD_REQUEST'])
      const batch = `{"0":${deep.slice(0, 29_000)},"1":${deep.slice(0, 29_000)}}`
      const both = await postRaw(service.url, '/trpc/albums.create,albums.create?batch=1', json, batch)
      expect(both.status).toBe(400)
    }
    for (const deep of ['['.repeat(14_000), lists(7_000), encodeURIComponent(objects(800))]) {
      const call = await client.get(`/trpc/albums.authStatus?input=${deep}`)
      expect(call.status).toBe(400)
      const batch = `{"0":${decodeURIComponent(deep)}}`
      const batched = await client.get(
        `/trpc/albums.authStatus?batch=1&input=${encodeURIComponent(batch).slice(0, 14_000)}`,
      )
      expect(batched.status).toBe(400)
    }
  })

  test('a call with a harmless depth is read', async () => {
    const input = { email: 'owner@example.com', albumName: 'Party', more: { than: ['is', { needed: 1 }] } }
    expect((await client.post('/api/user-albums', input)).status).toBe(200)
  })
})

describe('unknown albums', () => {
  test('unknown names and ids', async () => {
    const status = await client.get('/api/albums/auth-status/no-such-album')
    expect(status.body).toEqual({ albumExists: false, isAuthenticated: false, displayName: null })
    expectError(await client.get('/api/albums/by-name/no-such-album'), 404, /Album not found/)
    expectError(await client.post('/api/albums/no-such/authenticate', { password: 'x' }), 404, /not found/)
    expectError(await client.get('/api/albums/no-such/progress'), 404, /Album not found/)
    const guessed = `${ownerKey.slice(0, -1)}${ownerKey.endsWith('A') ? 'B' : 'A'}`
    expectError(await client.uploadPhotos(guessed, await sampleUploads([1])), 404, /Album not found/)
    expectError(await client.search('no-such-album', await readSample(1)), 404, /Album not found/)
  })

  test('a % in a slug', async () => {
    expectError(await client.get('/api/albums/by-name/50%25-off'), 404, /Album not found/)
    expectError(await client.get('/api/albums/by-name/50%-off'), 400, /./)
    expectError(await client.get('/api/albums/by-name/%ZZ'), 400, /./)
  })

  test('an address without a call', async () => {
    expectError(await client.get('/api/nothing-here'), 404, /./)
    expectError(await client.get('/nothing-here'), 404, /./)
  })
})

describe('passwords', () => {
  test('a missing, a wrong and an extremely long password', async () => {
    const path = `/api/albums/${albumName}/authenticate`
    expectError(await client.post(path, {}), 400, /enter the album password/)
    expectError(await client.post(path, { password: '' }), 400, /enter the album password/)
    expectError(await client.post(path, { password: ['x'] }), 400, /enter the album password/)
    expectError(await client.post(path, { password: 'wrong' }), 401, /^Invalid password$/)
    expectError(await client.post(path, { password: 'x'.repeat(1001) }), 400, /too long/)
  })

  test('many wrong passwords are answered 429 with the time to wait', async () => {
    const path = `/api/albums/${albumName}/authenticate`
    const guesser = createClient(service.url, '', { 'x-forwarded-for': '198.51.100.7' })
    for (let tries = 0; tries < RATE_LIMITS.wrongPassword.perAddress; tries++)
      expect((await guesser.post(path, { password: `guess ${tries}` })).status).toBe(401)
    const answer = await guesser.post(path, { password: 'guess again' })
    expectError(answer, 429, /Too many wrong passwords/)
    const seconds = Number(answer.headers.get('retry-after'))
    expect(seconds).toBeGreaterThan(500)
    expect(seconds).toBeLessThanOrEqual(600)
    const { albumPassword } = (await client.get(`/api/albums/by-name/${albumName}`)).body.album
    expect((await guesser.post(path, { password: albumPassword })).status).toBe(200)
  })
})

describe('searching', () => {
  test('without a grant', async () => {
    const stranger = createClient(service.url)
    expectError(await stranger.search(albumName, await readSample(1)), 401, /password/)
  })

  test('without a selfie, without an album, with the wrong field', async () => {
    const form = new FormData()
    form.append('albumName', albumName)
    expectError(await client.postForm('/api/search-in-album', form), 400, /choose a selfie/)
    const noAlbum = new FormData()
    noAlbum.append('photo', new Blob([new Uint8Array(await readSample(1))]), 'me.jpg')
    expectError(await client.postForm('/api/search-in-album', noAlbum), 400, /albumName/)
    const wrongField = new FormData()
    wrongField.append('selfie', new Blob(['x']), 'me.jpg')
    expectError(await client.postForm('/api/search-in-album', wrongField), 400, /"selfie".*"photo"/)
  })

  test('a selfie that is not an image, or is over 10 MB', async () => {
    expectError(await client.search(albumName, Buffer.from('words')), 415, /^Please upload an image file/)
    const huge = Buffer.concat([await readSample(1), Buffer.alloc(10 * 1024 * 1024)])
    expectError(await client.search(albumName, huge), 413, /smaller than 10MB/)
  })
})
