import { mkdir, rename } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { createLog } from '../log.ts'
import { appOfFile, untilComplete } from '../testing/app-of-file.ts'
import { createClient, readSample, sampleUploads } from '../testing/client.ts'
import { sendRaw } from '../testing/raw-call.ts'
import { waitUntil } from '../testing/wait.ts'

const ADMIN_TOKEN = 'a token for the maintainer'
const STRANGER = { remoteAddress: '192.0.2.7', headers: { host: 'photos.example.com' } }
const BEARER = { ...STRANGER, headers: { ...STRANGER.headers, authorization: `Bearer ${ADMIN_TOKEN}` } }
const basic = Buffer.from(`prometheus:${ADMIN_TOKEN}`).toString('base64')
const BASIC = { ...STRANGER, headers: { ...STRANGER.headers, authorization: `Basic ${basic}` } }
/** A stranger whom a relay on the machine passes on. */
const RELAYED = { remoteAddress: '127.0.0.1', headers: { host: 'localhost:3000' } }

const lines: string[] = []
const service = await appOfFile({
  env: { ADMIN_TOKEN },
  log: createLog('trace', { write: (line) => void lines.push(line) }),
})
/** Texts that must not be in the log or in a metric. */
const secrets = await visitEverything()

function get(url: string, caller: object) {
  return service.app.inject({ method: 'GET', url, ...caller })
}
function logged() {
  return lines.map((line) => JSON.parse(line))
}

/** Does everything that an owner and a guest do, and some things that fail.
 *  @returns the texts that must stay secret */
async function visitEverything(): Promise<Record<string, string>> {
  const [owner, guest] = [createClient(service.url), createClient(service.url)]
  const email = 'private.person@example.org'
  const input = { email, albumName: 'Zanzibar Hochzeit', displayName: 'Zanzibar Hochzeit' }
  const { id: ownerKey, albumName } = (await owner.post('/api/user-albums', input)).body.userAlbum
  await owner.uploadPhotos(ownerKey, await sampleUploads([1]), { totalIntendedPhotos: 1 })
  await untilComplete(owner, ownerKey)
  const { album } = (await owner.get(`/api/albums/by-name/${albumName}`)).body
  const password: string = album.albumPassword
  await guest.get(`/api/albums/auth-status/${albumName}`)
  await guest.post(`/api/albums/${albumName}/authenticate`, { password: 'guess-what-i-tried' })
  await guest.post(`/api/albums/${albumName}/authenticate`, { password })
  const { photos } = (await guest.search(albumName, await readSample(1))).body
  const link = new URL(photos[0].url)
  await (await fetch(link)).arrayBuffer()
  const { redirectTo } = (await guest.submitSelfie(await readSample(1), { userAlbumId: ownerKey })).body
  const submissionId: string = redirectTo.split('/').pop()
  await waitUntil('the results', async () => (await guest.get(`/api/results/${submissionId}`)).body.processed)
  await guest.delete(`/api/submissions/${submissionId}`)
  await waitUntil('the letter', async () => logged().some(({ queue }) => queue === 'send-letter'))

  // Failed requests are the most likely to be logged with their content.
  await guest.get(`/api/results/${submissionId}`)
  await guest.get(`/${albumName}/nowhere`)
  await guest.get(`/api/albums/by-name/${albumName}-x`)
  await guest.uploadPhotos(`${ownerKey}x`, await sampleUploads([1]))
  await guest.uploadPhotos(ownerKey, [{ name: 'me-in-person.jpg', bytes: Buffer.from('no photo') }])
  for (const key of [`${ownerKey}x`, ownerKey])
    await guest.post('/trpc/albums.enterAsOwner', { ownerKey: key })
  await sendRaw(
    service.url,
    {
      method: 'POST',
      path: `/api/albums/${albumName}/authenticate`,
      headers: { 'content-type': 'application/json', 'x-forwarded-for': '203.0.113.9' },
    },
    `{"password": "${password}`,
  )
  await sendRaw(service.url, { method: 'GET', path: `/api/albums/by-name/${albumName}%zz` })
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1')
  socket.end(`GET /album/${albumName} HTTP/9\r\n\r\n`)
  await text(socket)
  // A server error: the original is missing.
  const files = join(service.dataDir, 'files')
  await rename(join(files, 'albums'), join(files, 'elsewhere'))
  expect((await fetch(link.href.replace('/full?', '/thumb?'))).status).toBeGreaterThanOrEqual(400)
  await rename(join(files, 'elsewhere'), join(files, 'albums'))
  await owner.delete(`/api/albums/${ownerKey}`)
  return {
    email,
    ownerKey,
    albumName,
    password,
    submissionId,
    displayName: 'Zanzibar',
    'a wrong password': 'guess-what-i-tried',
    "a photo's name": 'me-in-person',
    "the visitor's address": '203.0.113.9',
    "the link's signature": link.searchParams.get('s')!,
    "the session's cookie": owner.cookie().split('=')[1]!,
  }
}

describe('the log', () => {
  test('contains nothing personal, even at trace level', () => {
    expect(lines.length).toBeGreaterThan(20)
    const all = lines.join('').toLowerCase()
    const leaked = Object.entries(secrets).filter(([, secret]) => {
      expect(secret.length).toBeGreaterThan(5)
      return all.includes(secret.toLowerCase())
    })
    expect(leaked.map(([name]) => name)).toEqual([])
  })

  test('has a line for each request, with the pattern of its route', () => {
    const requests = logged().filter(({ msg }) => msg === 'A request was answered')
    expect(requests).toContainEqual(
      expect.objectContaining({
        level: 30,
        method: 'POST',
        route: '/api/albums/:albumName/authenticate',
        status: 401,
        ms: expect.any(Number),
        reqId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      }),
    )
    const routes = requests.map(({ method, route, status }) => `${method} ${route} ${status}`)
    expect(routes).toEqual(
      expect.arrayContaining([
        'POST /api/search-in-album 200',
        'GET /photos/:photoId/:size 200',
        'GET none 404',
        'POST /trpc/albums.enterAsOwner 404',
      ]),
    )
  })
})

describe('readiness', () => {
  test('is public, and its dependencies are for the maintainer', async () => {
    for (const caller of [STRANGER, RELAYED]) {
      const stranger = await get('/readyz', caller)
      expect(stranger.statusCode).toBe(200)
      expect(stranger.headers['cache-control']).toBe('no-store')
      expect(stranger.json()).toEqual({ ready: true })
    }
    for (const maintainer of [BASIC, BEARER]) {
      const { dependencies, ...rest } = (await get('/readyz', maintainer)).json()
      expect(rest).toEqual({ ready: true })
      const all = ['database', 'queue', 'storage', 'disk', 'decoders', 'faces', 'mail']
      expect(Object.keys(dependencies)).toEqual(all)
      for (const state of Object.values(dependencies))
        expect(state).toEqual({ ok: true, ms: expect.any(Number) })
    }
  })

  test('ends while files are missing in the storage, and returns with them', async () => {
    const files = join(service.dataDir, 'files')
    const away = `${files}-away`
    await rename(files, away)
    await mkdir(files)
    await waitUntil('503', async () => (await get('/readyz', STRANGER)).statusCode === 503)
    expect((await get('/readyz', STRANGER)).json()).toEqual({ ready: false })
    expect((await get('/readyz', BEARER)).json()).toMatchObject({
      ready: false,
      dependencies: {
        database: { ok: true },
        storage: { ok: false, message: 'A file that was written to the photo storage is missing' },
      },
    })
    await rename(files, `${away}-2`)
    await rename(away, files)
    await waitUntil('200', async () => (await get('/readyz', STRANGER)).statusCode === 200)
  })
})

describe('metrics', () => {
  test('are for the maintainer', async () => {
    for (const stranger of [STRANGER, RELAYED]) {
      const { statusCode, headers, body } = await get('/metrics', stranger)
      expect(statusCode).toBe(401)
      expect(headers['www-authenticate']).toBe('Basic realm="Inframe"')
      expect(body).not.toContain('inframe_')
    }
    for (const maintainer of [BASIC, BEARER]) {
      const { statusCode, headers } = await get('/metrics', maintainer)
      expect(statusCode).toBe(200)
      expect(headers['content-type']).toMatch(/^text\/plain; version=0\.0\.4/)
    }
  })

  test('count what was done, without anything personal', async () => {
    const { body } = await get('/metrics', BEARER)
    const series = new Map(
      [...body.matchAll(/^([^#].*) (\S+)$/gm)].map(([, name, value]) => [name!, Number(value)] as const),
    )
    const requests = (labels: string) => series.get(`inframe_http_request_seconds_count{${labels}}`)
    expect(requests('method="POST",route="/api/albums/:albumName/authenticate",status="401"')).toBe(1)
    expect(requests('method="POST",route="/api/search-in-album",status="200"')).toBe(1)
    expect(series.get('inframe_job_seconds_count{queue="send-letter",outcome="completed"}')).toBe(1)
    const size = (await readSample(1)).length
    expect(series.get('inframe_uploaded_bytes_total')).toBe(size + 'no photo'.length)
    expect(series.get('inframe_searches_total{kind="album"}')).toBe(1)
    expect(series.get('inframe_searches_total{kind="submission"}')).toBe(1)
    expect(series.has('inframe_queue_jobs{queue="erase-album",state="deferred"}')).toBe(true)
    expect(series.get('inframe_photos{stage="indexed"}')).toBe(0)
    expect(series.has('process_resident_memory_bytes')).toBe(true)
    expect(series.has('nodejs_eventloop_lag_seconds')).toBe(true)
    for (const secret of Object.values(secrets)) expect(body).not.toContain(secret)
  })
})
