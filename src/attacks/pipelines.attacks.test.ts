import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addListedAlbums } from '../testing/album-rows.ts'
import { type AttackedSite, startAttackedSite } from '../testing/attacked-site.ts'
import { createClient } from '../testing/client.ts'
import { median } from '../testing/median.ts'
import { type Pipeline, sendPipelined, sendPost } from '../testing/pipelined.ts'

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
      for (let count = 0; count < 12; count++)
        opened.push(await sendPost(site.url, { address, path: batch, length: 10, body: '' }))
    await pause(50)
    times.push(...(await twoCalls()))
    await pause(1_000)
  }
  for (const one of opened) one.hangUp()
  // Places that are held are held for a second. The others' work on this machine may delay some of these calls.
  const slow = 5 * median(idle) + 500
  expect(times.filter((ms) => ms > slow).length).toBeLessThan(3)
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
