import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../testing/app.ts'

let service: TestApp
beforeAll(async () => {
  service = await startTestApp({ work: false })
})
afterAll(() => service?.close())

const open = (path: string) =>
  fetch(service.url + path, { headers: { accept: 'text/html' }, redirect: 'manual' })

test('a changed link to an album leads to its page', async () => {
  const answer = await open('/Album/Garden-Party.?photos=all')
  expect([answer.status, answer.headers.get('location')]).toEqual([301, '/album/garden-party?photos=all'])
})

test('a key whose # was encoded comes back behind the #, and no browser keeps the answer', async () => {
  const answer = await open('/album/garden-party%23owner-key%3Dabc')
  expect([answer.status, answer.headers.get('location')]).toEqual([302, '/album/garden-party#owner-key=abc'])
  expect(answer.headers.get('cache-control')).toBe('no-store')
})

test('a broken % gives a browser a page, and a call its error', async () => {
  for (const path of ['/albums/%', '/selfie/results/a/%E0%A4%A', '/%']) {
    const answer = await open(path)
    expect([answer.status, answer.headers.get('content-type')], path).toEqual([
      404,
      'text/html; charset=utf-8',
    ])
  }
  const call = await fetch(`${service.url}/api/albums/auth-status/%`, { headers: { accept: 'text/html' } })
  expect([call.status, await call.json()]).toEqual([400, expect.objectContaining({ code: 'BAD_REQUEST' })])
})
