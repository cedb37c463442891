import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import type { TestApp } from '../testing/app.ts'
import { appOfFile } from '../testing/app-of-file.ts'
import { sendRaw } from '../testing/raw-call.ts'

const HTML = { accept: 'text/html' }

const open = await appOfFile({ work: false, env: { HOST: '0.0.0.0' } })
const local = await appOfFile({ work: false })
const named = await appOfFile({ work: false, env: { PUBLIC_URL: 'https://Photos.example.com' } })

async function get(service: TestApp, path: string, headers: Record<string, string> = {}) {
  const { status, text } = await sendRaw(service.url, { method: 'GET', path, headers })
  return { status, text, address: /property="og:url" content="([^"]*)"/.exec(text)?.[1] }
}

/** Sends this line, and no other, as a request. */
function sendLine(service: TestApp, line: string): Promise<string> {
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1')
  socket.write(`${line}\r\n\r\n`)
  return text(socket)
}

describe('with PUBLIC_URL', () => {
  test('its own name is answered, on any port, and localhost to the machine itself', async () => {
    for (const host of ['PHOTOS.example.com', 'photos.example.com:8080', 'localhost:3000', '[::1]:3000'])
      expect((await get(named, '/api/albums/list', { host })).status, host).toBe(200)
  })

  test.each(['photos.example.com.evil.example', '198.51.100.7'])(
    'any other name is refused, and the answer says where the site is: %s',
    async (host) => {
      for (const path of ['/', '/api/albums/list', '/trpc/albums.list', '/nothing', '/favicon.ico']) {
        const { status, text } = await get(named, path, { host, ...HTML })
        expect([path, status]).toEqual([path, 400])
        expect(JSON.parse(text)).toMatchObject({
          code: 'BAD_REQUEST',
          message: 'Please use this site at https://photos.example.com',
        })
      }
    },
  )

  test('balancers and monitoring may use any name or address', async () => {
    for (const [path, status] of [
      ['/healthz', 200],
      ['/readyz', 200],
      ['/metrics', 401],
    ] as const)
      expect((await get(named, path, { host: '10.0.0.7:3000' })).status, path).toBe(status)
  })

  test('the name that a trusted proxy forwards counts', async () => {
    const forwarded = (host: string, name: string) =>
      get(named, '/api/albums/list', { host, 'x-forwarded-host': name })
    expect((await forwarded('inframe:3000', 'photos.example.com')).status).toBe(200)
    expect((await forwarded('photos.example.com', 'evil.example')).status).toBe(400)
  })

  test('a request without a name is refused, except by balancers', async () => {
    expect(await sendLine(named, 'GET /api/albums/list HTTP/1.0')).toMatch(/^HTTP\/1\.1 400 /)
    expect(await sendLine(named, 'GET /healthz HTTP/1.0')).toMatch(/^HTTP\/1\.1 200 /)
  })
})

describe('without PUBLIC_URL, when only this machine can reach the server', () => {
  test.each(['LOCALHOST', '127.0.0.1:8080', '127.8.8.8', '[::1]'])('it answers to %s', async (host) => {
    expect((await get(local, '/api/albums/list', { host })).status).toBe(200)
  })

  test.each(['192.168.0.7:3000', 'localhost.evil.example', '127.evil.example', '[2001:db8::1]'])(
    'it refuses %s, and says what to set',
    async (host) => {
      const { status, text } = await get(local, '/api/albums/list', { host, ...HTML })
      expect(status).toBe(400)
      expect(JSON.parse(text).message).toMatch(/only its own machine.* set PUBLIC_URL/)
    },
  )

  test('a page of another site cannot pass its name on as if it were a proxy', async () => {
    const refused: Record<string, string>[] = [
      { host: 'evil.example', 'x-forwarded-host': 'localhost' },
      { host: 'evil.example', 'x-forwarded-host': ',' },
      { host: 'evil.example, localhost' },
      { host: 'localhost', 'x-forwarded-host': 'evil.example' },
    ]
    for (const headers of refused)
      expect([headers, (await get(local, '/api/albums/list', headers)).status]).toEqual([headers, 400])
    const forwarded = { host: 'localhost:80', 'x-forwarded-host': '[::1]:3000' }
    expect((await get(local, '/api/albums/list', forwarded)).status).toBe(200)
  })
})

describe('without PUBLIC_URL, when other machines can reach the server', () => {
  test('what is not the name of a host is refused', async () => {
    for (const host of ['"><script>', 'a/b', 'a b', 'user@host', 'a,b', 'host:port'])
      expect([host, (await get(open, '/albums', { host, ...HTML })).status]).toEqual([host, 400])
    const forwarded = { 'x-forwarded-host': '"><script>', ...HTML }
    expect((await get(open, '/albums', forwarded)).status).toBe(400)
  })

  test('a proxy cannot name another protocol than http and https', async () => {
    const proto = (name: string) =>
      get(open, '/albums', { host: 'party.local', 'x-forwarded-proto': name, ...HTML })
    expect((await proto('https')).address).toBe('https://party.local/albums')
    expect((await proto('javascript')).address).toBe('http://party.local/albums')
  })
})
