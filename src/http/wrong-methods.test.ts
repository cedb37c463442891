import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../testing/app.ts'
import { createClient } from '../testing/client.ts'
import { sendRaw } from '../testing/raw-call.ts'
import { buildWorkerApp } from './app.ts'

let service: TestApp
let album: string
beforeAll(async () => {
  service = await startTestApp({ work: false })
  album = (await createClient(service.url).createAlbum('Party')).albumName
})
afterAll(() => service?.close())

const READS = 'GET, HEAD'
const PHOTO = '/photos/3f1b2c4d-5e6f-4a7b-8c9d-0e1f2a3b4c5d/full'
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND']

test.each([
  ['/healthz', READS],
  ['/readyz', READS],
  ['/metrics', READS],
  [PHOTO, READS],
  [`${PHOTO}?e=1&v=1&s=x`, READS],
  ['/zips/token', READS],
  ['/api/albums/by-name/party', READS],
  ['/api/openapi.json', READS],
  ['/api/docs', READS],
  ['/api/user-albums', 'POST'],
  ['/api/albums/key/upload-photos', 'POST'],
  ['/api/search-in-album', 'POST'],
  ['/api/albums/key', 'DELETE'],
])('%s takes %s, and answers all others with 405', async (path, allow) => {
  const others = METHODS.filter((method) => !allow.split(', ').includes(method))
  for (const method of others) {
    const { status, headers, text } = await sendRaw(service.url, { method, path })
    expect([status, headers.allow], method).toEqual([405, allow])
    expect(headers['x-content-type-options'], method).toBe('nosniff')
    if (method !== 'HEAD') expect(JSON.parse(text).code, method).toBe('METHOD_NOT_SUPPORTED')
  }
})

test('an address with several methods names them all', async () => {
  // A name, and an owner key.
  const { headers, status } = await sendRaw(service.url, { method: 'PUT', path: '/api/albums/list' })
  expect([status, headers.allow]).toEqual([405, 'DELETE, GET, HEAD'])
})

test('an address without any is not there, whatever the method', async () => {
  for (const method of METHODS)
    for (const path of ['/nothing', '/api/nothing', '/api/albums', '/photos/x'])
      expect((await sendRaw(service.url, { method, path })).status, `${method} ${path}`).toBe(404)
})

test('HEAD answers calls as GET does, without a body', async () => {
  for (const path of [
    '/healthz',
    '/api/albums/list',
    `/api/albums/auth-status/${album}`,
    '/api/albums/auth-status/nothing',
    `/api/albums/by-name/${album}`,
    '/api/results/3f1b2c4d-5e6f-4a7b-8c9d-0e1f2a3b4c5d',
    '/api/nothing',
    '/api/openapi.json',
    '/trpc/albums.list?input=%7B%7D',
    '/metrics',
  ]) {
    const [get, head] = [
      await sendRaw(service.url, { method: 'GET', path }),
      await sendRaw(service.url, { method: 'HEAD', path }),
    ]
    expect([head.status, head.text], path).toEqual([get.status, ''])
    for (const name of ['content-type', 'content-length', 'cache-control', 'etag', 'link'])
      expect(head.headers[name], `${path} ${name}`).toBe(get.headers[name])
  }
})

test('a worker, which has fewer addresses, does the same', async () => {
  const worker = buildWorkerApp(service.context)
  const answer = await worker.inject({ method: 'POST', url: '/healthz' })
  expect([answer.statusCode, answer.headers.allow]).toEqual([405, READS])
  expect((await worker.inject({ method: 'POST', url: '/api/albums/list' })).statusCode).toBe(404)
  await worker.close()
})
