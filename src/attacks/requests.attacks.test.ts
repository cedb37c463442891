import { setTimeout as pause } from 'node:timers/promises'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type AttackedSite, startAttackedSite } from '../testing/attacked-site.ts'
import { type RawAnswer, sendRaw } from '../testing/raw-call.ts'

/** A little less than Node accepts for all headers of a request, and for its address. */
const HEADER_BYTES = 15_000

let site: AttackedSite

beforeAll(async () => {
  site = await startAttackedSite()
})
afterAll(() => site?.close())

interface Hostile {
  method?: string
  path?: string
  headers?: Record<string, string>
  body?: string
}

/** Sends 20 requests within a second, and expects one of these statuses from each. */
async function sendTwenty(statuses: number[], request: (index: number) => Hostile): Promise<void> {
  const answers: Promise<RawAnswer>[] = []
  for (let index = 0; index < 20; index++) {
    const { method = 'GET', path = '/', headers, body } = request(index)
    answers.push(sendRaw(site.url, { method, path, headers }, body))
    await pause(50)
  }
  for (const { status, text } of await Promise.all(answers)) expect(statuses, text).toContain(status)
}

const tinyPicture = () =>
  sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
    .jpeg()
    .toBuffer()

const filled = (text: string) => text.repeat(HEADER_BYTES / text.length)

/** Every list that the service reads from a header, as long as a header may be. */
const LISTS: Record<string, string> = {
  cookie: filled('a=b;'),
  'if-none-match': filled('"a",'),
  range: `bytes=${filled('0-,')}0-`,
  'x-forwarded-for': filled('127.0.0.1,'),
  'cache-control': filled('no-cache, '),
  authorization: `Bearer ${filled(' ')}`,
}
const PATHS = ['/', '/../', '/%2f', '/api/a/', '/trpc/albums.list,', '/album/%25', '/?a=b&', '/?a[b]=']

function longForms(): Hostile[] {
  const part = (parameters: string) => `--x\r\ncontent-disposition: form-data; ${parameters}\r\n\r\na\r\n`
  const bodies = [part('name="a"').repeat(2_000), part(`name="a"; ${filled('b=c;')}`).repeat(20)]
  const paths = ['/api/search-in-album', `/api/albums/${site.album.ownerKey}/upload-photos`]
  const headers = { 'content-type': 'multipart/form-data; boundary=x' }
  return bodies.flatMap((body) =>
    paths.map((path) => ({ method: 'POST', path, headers, body: `${body}--x--\r\n` })),
  )
}

test('photos that consist of empty lines do not hold up other visitors', async () => {
  const { ownerKey } = await site.stranger().createAlbum('Empty lines')
  const path = `/api/albums/${ownerKey}/upload-photos`
  const headers = { 'content-type': 'multipart/form-data; boundary=x' }
  const head =
    '--x\r\ncontent-disposition: form-data; name="images"; filename="a.jpg"\r\ncontent-type: image/jpeg'
  const body = `${head}\r\n\r\n${'\r\n\r\n'.repeat(60_000)}\r\n--x--\r\n`
  const answers: RawAnswer[] = []
  await site.attack(async () => {
    const send = () => sendRaw(site.url, { method: 'POST', path, headers }, body)
    answers.push(...(await Promise.all(Array.from({ length: 20 }, send))))
  })
  // It is no picture.
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([400]))
})

describe('a stranger who changes an album of their own on 100 connections at once does not hold up other visitors', () => {
  test.each(['finish-upload', 'settings', 'upload-photos'])('with %s', async (call) => {
    const stranger = site.stranger()
    const { ownerKey } = await stranger.createAlbum('Changed all the time')
    const photo = { name: 'photo.jpg', bytes: await tinyPicture() }
    const once = {
      'finish-upload': () => stranger.post(`/api/albums/${ownerKey}/finish-upload`, {}),
      settings: () => stranger.post(`/api/albums/${ownerKey}/settings`, { browsing: 'on' }),
      'upload-photos': () => stranger.uploadPhotos(ownerKey, [photo]),
    }[call]!
    const statuses: number[] = []
    await site.attack(async () => {
      // Otherwise most of these calls would soon be refused, before they need their turn.
      await site.database.db.deleteFrom('rate_limits').execute()
      const answers = await Promise.all(Array.from({ length: 100 }, once))
      statuses.push(...answers.map(({ status }) => status))
    })
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(statuses.length / 2)
  })
})

describe('a stranger does not hold up other visitors', () => {
  test('with 15,000 spaces in Accept-Encoding', async () => {
    const headers = { accept: 'text/html', 'accept-encoding': `a${filled(' ')}b` }
    await site.attack(() => sendTwenty([200], () => ({ headers })))
  })

  test('with JSON of 60,000 lists inside each other, or with as many spaces', async () => {
    const bodies = ['['.repeat(60_000), '['.repeat(30_000) + ']'.repeat(30_000), `"${' '.repeat(60_000)}"`]
    const paths = [
      '/api/user-albums',
      '/trpc/albums.create',
      '/trpc/albums.create?batch=1',
      '/api/gmail/callback',
    ]
    const headers = { 'content-type': 'application/json' }
    const request = (index: number) => ({
      method: 'POST',
      path: paths[index % paths.length]!,
      headers,
      body: bodies[index % bodies.length]!,
    })
    await site.attack(() => sendTwenty([400, 401], request))
  })

  test('with long lists in headers, addresses and forms', async () => {
    const requests: Hostile[] = [
      ...Object.entries(LISTS).map(([name, list]) => ({ path: '/favicon.ico', headers: { [name]: list } })),
      ...PATHS.map((path) => ({ path: filled(path) })),
      ...longForms(),
    ]
    await site.attack(() =>
      sendTwenty([200, 206, 400, 401, 404, 413], (index) => requests[index % requests.length]!),
    )
  })
})
