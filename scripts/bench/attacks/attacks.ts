import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import sharp from 'sharp'
import { beginForm } from '../../../src/testing/begun-form.ts'
import { readSample, type TestClient } from '../../../src/testing/client.ts'
import { exifBomb } from '../../../src/testing/metadata-bombs.ts'
import { type Pipeline, sendPipelined, sendPost } from '../../../src/testing/pipelined.ts'
import { withEmptyScans } from '../../../src/testing/scan-bomb.ts'
import { waitUntil } from '../../../src/testing/wait.ts'
import { distinct } from '../photos.ts'
import { openAlbum, untilIndexed, upload } from '../visitors.ts'
import type { AttackedSite } from './site.ts'

/** What a stranger does again and again while others are measured. */
export interface Attack {
  name: string
  /** Its connections or calls in a round. */
  size: string
  /** @returns does one round. It ends early when it is told to */
  prepare: (site: AttackedSite) => Promise<(ending: AbortSignal) => Promise<unknown>>
}

export const ATTACKS: Attack[] = []
const attack = (name: string, size: string, prepare: Attack['prepare']) =>
  void ATTACKS.push({ name, size, prepare })

/** The network of those who attack from one address. */
const STRANGER = '198.19.0.1'

const times = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, at) => make(at))
const atOnce = <T>(count: number, make: (index: number) => Promise<T>) => Promise.all(times(count, make))
const blank = (side: number) =>
  sharp({ create: { width: side, height: side, channels: 3, background: '#789' } })
const FORM = 'multipart/form-data; boundary=x'
const partOf = (parameters: string) => `--x\r\ncontent-disposition: form-data; ${parameters}\r\n\r\n`

/** Opens connections, leaves them open for a second, and hangs up. */
async function holdFor1s(opening: Promise<Pipeline>[]): Promise<void> {
  const opened = await Promise.all(opening)
  await pause(1_000)
  for (const one of opened) one.hangUp()
}

const UNKNOWN = 'GET / HTTP/1.1\r\nhost: x\r\nexpect: 1\r\n\r\n'

attack('pipelined requests, some of whose answers nobody takes', '8 × 9,000', async ({ url }) => {
  const sent = [
    { path: '/api/albums/list', count: 9_000, reads: false },
    { path: '/healthz', count: 9_000 },
    { path: '/api/x', count: 9_000 },
    { path: '/', count: 0, further: UNKNOWN.repeat(9_000) },
  ]
  return () => holdFor1s(times(8, (at) => sendPipelined(url, { address: STRANGER, ...sent[at % 4]! })))
})

attack('calls, bodies and forms that do not end', '900 connections', async ({ url }) => {
  const batch = `/trpc/${Array(10).fill('albums.create').join()}?batch=1`
  const fields = `${partOf('name="a"')}Ā\r\n`.repeat(100)
  const sent = [
    { path: batch, length: 10, body: '' },
    { path: '/trpc/albums.create', length: 65_000, body: 'x'.repeat(64_000) },
    { path: '/api/submit-photo', length: 9_000_000, body: fields, type: FORM },
  ]
  return () => holdFor1s(times(900, (at) => sendPost(url, { address: STRANGER, ...sent[at % 3]! })))
})

attack('bombs of 1,500 scans or of metadata, from two networks', '10 calls', async (site) => {
  const photo = sharp(await readSample(1)).resize(4_000)
  const scans = withEmptyScans(await photo.jpeg({ progressive: true }).toBuffer(), 1_500)
  const bombs = [exifBomb(await blank(200).jpeg().toBuffer()), scans]
  const networks = await atOnce(2, async () => {
    const client = await site.guest()
    return { client, ...(await client.createAlbum('Attack')) }
  })
  return () =>
    Promise.all(
      networks.flatMap(({ client, ownerKey }) => [
        ...bombs.map((bytes) => client.uploadPhotos(ownerKey, [{ name: 'a.jpg', bytes }])),
        ...times(3, (at) => client.search(site.album.name, bombs[at % 2]!)),
      ]),
    )
})

attack('searches without a pause, of one network', '20 sessions', async (site) => {
  const guests = await atOnce(20, () => site.guest(STRANGER))
  return () => Promise.all(guests.map((guest) => guest.search(site.album.name, site.selfie)))
})

attack('forms of 10 MB that come slowly, of strangers and guests', '320 connections', async (site) => {
  const guests = await atOnce(20, () => site.guest('198.51.100.9'))
  const [search, submit] = ['/api/search-in-album', '/api/submit-photo'].map((path) => site.url + path)
  const fields = { albumName: site.album.name }
  const ofGuest = (guest: TestClient) =>
    beginForm(search!, { address: '198.51.100.9', cookie: guest.cookie(), fields })
  return async (ending) => {
    const forms = [
      ...times(80, () => beginForm(search!, { address: '198.51.100.7' })),
      ...times(80, () => beginForm(submit!, { address: '198.51.100.8' })),
      ...times(120, () => ofGuest(guests[0]!)),
      ...guests.flatMap((guest) => [ofGuest(guest), ofGuest(guest)]),
    ]
    while (!ending.aborted) {
      for (const form of forms) form.send(Buffer.alloc(8_000))
      await pause(250)
    }
    for (const form of forms) form.hangUp()
  }
})

attack('large photos, and zips of them, that nobody takes', '600 × 40, 400 zips', async (site) => {
  const raw = { width: 2000, height: 2000, channels: 3 } as const
  const pixels = sharp(randomBytes(2000 * 2000 * 3), { raw })
  const bytes = await pixels.jpeg().toBuffer()
  const album = await openAlbum(site.url, 'Attack')
  await upload(album, 4, () => distinct(bytes))
  await untilIndexed(album, 4)
  await album.owner.post(`/api/albums/${album.ownerKey}/settings`, { browsing: 'on' })
  const { photos } = (await album.owner.get(`/api/albums/${album.name}/photos`)).body
  const asked = { photos: photos.map(({ url }: { url: string }) => url) }
  const zip = await waitUntil('a zip', async () => (await album.owner.post('/api/zips', asked)).body.parts[0])
  const unread = { address: STRANGER, reads: false }
  const [photoPath, zipPath] = [photos[0], zip].map(({ url }) => url.replace(/^https?:\/\/[^/]*/, ''))
  return () =>
    holdFor1s([
      ...times(600, () => sendPipelined(site.url, { ...unread, path: photoPath!, count: 40 })),
      ...times(400, () => sendPipelined(site.url, { ...unread, path: zipPath!, count: 1 })),
    ])
})
