import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addListedAlbums } from '../testing/album-rows.ts'
import { type AttackedSite, startAttackedSite } from '../testing/attacked-site.ts'
import { createClient } from '../testing/client.ts'
import { median } from '../testing/median.ts'
import { type Pipeline, sendPipelined } from '../testing/pipelined.ts'
import { waitUntil } from '../testing/wait.ts'

const LIST = `/trpc/albums.listPage?batch=1&input=${encodeURIComponent('{"0":{"limit":100}}')}`
const STRANGER = '198.19.0.1'

let site: AttackedSite
beforeAll(async () => {
  site = await startAttackedSite()
  await addListedAlbums(site.database.db, 'event', 300)
})
afterAll(() => site?.close())

/** Opens connections, leaves them open while others are measured, and hangs up. */
async function attackFor(ms: number, open: () => Promise<Pipeline>[]): Promise<void> {
  const pipelines = await Promise.all(open())
  await pause(ms)
  for (const pipeline of pipelines) pipeline.hangUp()
}

const connections = (count: number, options: Parameters<typeof sendPipelined>[1]) => () =>
  Array.from({ length: count }, () => sendPipelined(site.url, { address: STRANGER, ...options }))

test('30,000 requests that one connection sends at once delay nobody', async () => {
  await site.attack(() => attackFor(1_000, connections(1, { path: LIST, count: 30_000 })))
})

test('eight connections with 9,000 requests each, whose answers nobody takes, delay nobody and leave no memory', async () => {
  await site.attack(() => attackFor(1_000, connections(8, { path: LIST, count: 9_000, reads: false })))
})

const UNKNOWN = 'GET / HTTP/1.1\r\nhost: x\r\nexpect: 1\r\n\r\n'

test.each([
  { what: 'that monitoring makes', path: '/healthz', count: 9_000 },
  { what: 'of no call', path: '/api/x', count: 9_000 },
  { what: 'with unknown expectations', path: '/', count: 0, further: [UNKNOWN.repeat(9_000)] },
])(
  'eight connections with 9,000 requests each $what, which are answered at once, delay nobody',
  async (sent) => {
    await site.attack(() => attackFor(1_000, connections(8, sent)))
  },
)

function post(address: string, path: string, length: number, body: string, type = 'application/json') {
  const { host } = new URL(site.url)
  const further = [
    `POST ${path} HTTP/1.1\r\nhost: ${host}\r\nx-forwarded-for: ${address}\r\ncontent-type: ${type}\r\ncontent-length: ${length}\r\n\r\n${body}`,
  ]
  return sendPipelined(site.url, { path, count: 0, further })
}

/** How many ms a call of a guest from this network takes. */
async function msOfCall(address: string): Promise<number> {
  const guest = createClient(site.url, '', { 'x-forwarded-for': address })
  const since = performance.now()
  expect((await guest.get(`/api/albums/auth-status/${site.album.albumName}`)).status).toBe(200)
  return performance.now() - since
}

test('calls whose bodies never come delay nobody, in the same network or another', async () => {
  const batch = `/trpc/${Array(10).fill('albums.create').join()}?batch=1`
  const twoCalls = async () => [await msOfCall(STRANGER), await msOfCall('198.19.7.7')]
  const idle = [await twoCalls(), await twoCalls(), await twoCalls()].flat()
  const times: number[] = []
  const opened: Pipeline[] = []
  for (let round = 0; round < 3; round++) {
    for (const address of [STRANGER, '198.19.0.2'])
      for (let count = 0; count < 12; count++) opened.push(await post(address, batch, 10, ''))
    await pause(50)
    times.push(...(await twoCalls()))
    await pause(1_000)
  }
  for (const one of opened) one.hangUp()
  // Places that are held are held for a second. The others' work on this machine may delay some of these calls.
  const slow = 5 * median(idle) + 500
  expect(times.filter((ms) => ms > slow).length).toBeLessThan(3)
})

const FIELD = `--x\r\ncontent-disposition: form-data; name="a"\r\n\r\n${'x'.repeat(400)}Ā\r\n`

test.each([
  { what: 'bodies', path: '/trpc/albums.create', length: 65_000, body: 'x'.repeat(64_000) },
  {
    what: 'forms',
    path: '/api/submit-photo',
    length: 9_000_000,
    body: FIELD.repeat(19),
    type: 'multipart/form-data; boundary=x',
  },
])('$what that do not end take no more memory than a network may have', async (sent) => {
  const opened: Pipeline[] = []
  for (let count = 0; count < 800; count++)
    opened.push(await post(STRANGER, sent.path, sent.length, sent.body, sent.type))
  // One that takes too long is answered before its connection is closed. It does not count here.
  const isGivenUp = (one: Pipeline) => one.isClosed() && one.answers() === 0
  await waitUntil('the ends', async () => opened.filter(isGivenUp).length >= 280)
  expect(await msOfCall(STRANGER)).toBeLessThan(5_000)
  for (const one of opened) one.hangUp()
})

test('a form is not read where no call takes one', async () => {
  const head = '--x\r\ncontent-disposition: form-data; name="a"\r\n\r\n'
  const form = await post(
    STRANGER,
    '/trpc/albums.create',
    1_000_000_000,
    head,
    'multipart/form-data; boundary=x',
  )
  await waitUntil('the answer', async () => form.answers() === 1)
  expect(form.text()).toContain('HTTP/1.1 415 ')
  form.hangUp()
})

test('chunks of one byte delay nobody and leave no memory, also after large ones', async () => {
  const { host } = new URL(site.url)
  const { ownerKey } = await site.stranger().createAlbum()
  const head = (path: string) =>
    `POST ${path} HTTP/1.1\r\nhost: ${host}\r\nx-forwarded-for: ${STRANGER}\r\ncontent-type: multipart/form-data; boundary=x\r\ntransfer-encoding: chunked\r\n\r\n`
  const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`
  const file = '--x\r\ncontent-disposition: form-data; name="photos"; filename="a.jpg"\r\n\r\n'
  const tiny = Array<string>(4).fill(chunk('x').repeat(10_000))
  const unread = [head('/api/x'), ...tiny]
  const large = Array<string>(64).fill(chunk('x'.repeat(65_536)))
  const read = [head(`/api/albums/${ownerKey}/upload-photos`), chunk(file), ...large, ...tiny]
  const open = (further: string[]) => connections(10, { path: '/', count: 0, further })()
  await site.attack(() => attackFor(1_000, () => [...open(unread), ...open(read)]))
})
