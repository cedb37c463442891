import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import sharp from 'sharp'
import { addListedAlbums } from '../../../src/testing/album-rows.ts'
import { beginForm } from '../../../src/testing/begun-form.ts'
import { readSample, type TestClient, type Upload } from '../../../src/testing/client.ts'
import { exifBomb } from '../../../src/testing/metadata-bombs.ts'
import { newPicture } from '../../../src/testing/new-picture.ts'
import { type Pipeline, sendPipelined, sendPost } from '../../../src/testing/pipelined.ts'
import { sendRaw } from '../../../src/testing/raw-call.ts'
import { crowdOf } from '../../../src/testing/sample-photos.ts'
import { withEmptyScans } from '../../../src/testing/scan-bomb.ts'
import { selfieFrom } from '../../../src/testing/selfie.ts'
import { type AttackedSite, untilComplete } from './site.ts'

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
/** A little less than Node accepts for all headers of a request, and for its address. */
const HEADER_BYTES = 15_000
/** One byte less than the limit of a photo. */
const PHOTO_BYTES = 5 * 1024 * 1024 - 1

const times = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, at) => make(at))
const atOnce = <T>(count: number, make: (index: number) => Promise<T>) => Promise.all(times(count, make))
const filled = (text: string) => text.repeat(HEADER_BYTES / text.length)
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

const listBatch = (calls: number) => {
  const input = Object.fromEntries(times(calls, (index) => [index, { limit: 100 }]))
  const names = Array(calls).fill('albums.listPage').join()
  return `/trpc/${names}?batch=1&input=${encodeURIComponent(JSON.stringify(input))}`
}

/** A stranger with an album of their own, and as a guest of the other album. */
async function attacker(site: AttackedSite) {
  const client = site.stranger()
  return { client, guest: await site.guest(), ...(await client.createAlbum('Attack')) }
}

/** Uploads photos to an album of a stranger's own, and waits until they are indexed.
 *  @returns the addresses of the photos at full size, without an origin */
async function uploaded(site: AttackedSite, photos: Upload[]) {
  const { client, ownerKey, albumName } = await attacker(site)
  await client.uploadPhotos(ownerKey, photos, { totalIntendedPhotos: photos.length })
  await client.post(`/api/albums/${ownerKey}/settings`, { browsing: 'on' })
  await untilComplete(client, ownerKey)
  const { body } = await client.get(`/api/albums/${albumName}/photos`)
  const addresses = (body.photos as { url: string }[]).map(({ url }) => url.slice(site.url.length))
  return { client, ownerKey, addresses, urls: addresses.map((path) => site.url + path) }
}

const UNKNOWN = 'GET / HTTP/1.1\r\nhost: x\r\nexpect: 1\r\n\r\n'

/** Long lists of all kinds in all places where the service reads lists. */
function longLists() {
  const headers = ['cookie: ', 'if-none-match: ', 'range: bytes=', 'x-forwarded-for: ', 'cache-control: ']
  headers.push('authorization: Bearer ', 'accept-encoding: a')
  const texts = ['a=b;', '"a",', '0-,', '127.0.0.1,', ' ', '/../', '%2f', '[b]=']
  const jsons = ['['.repeat(60_000), '['.repeat(30_000) + ']'.repeat(30_000), `"${' '.repeat(60_000)}"`]
  const forms = [`${partOf('name="a"')}a\r\n`.repeat(2_000), partOf(`name="a"; ${filled('b=c;')}`).repeat(20)]
  const get = (path: string, headers = {}) => ({ method: 'GET', path, headers, body: '' })
  const post = (path: string, type: string, body: string) => ({
    ...{ method: 'POST', path, headers: { 'content-type': type }, body },
  })
  return [
    ...headers.flatMap((header) => {
      const [name, start] = header.split(': ') as [string, string]
      return texts.map((text) => get('/', { [name]: `${start}${filled(text)}b` }))
    }),
    ...texts.map((text) => get(`/?${filled(encodeURI(text))}`)),
    ...jsons.map((json) => post('/trpc/albums.create', 'application/json', json)),
    ...forms.map((form) => post('/api/search-in-album', FORM, `${form}--x--\r\n`)),
  ]
}

attack('ten pages of a list of 100,000 albums in a batch', '8 calls', async (site) => {
  await addListedAlbums(site.db, 'event', 100_000)
  const stranger = site.stranger()
  return () => atOnce(8, () => stranger.get(listBatch(10)))
})

attack('what anybody may ask, compressed', '400 calls', async (site) => {
  const headers = { 'x-forwarded-for': STRANGER, 'accept-encoding': 'br' }
  const paths = ['/healthz', '/api/openapi.json', '/api/docs', '/']
  return () =>
    atOnce(400, async (index) => (await fetch(site.url + paths[index % 4]!, { headers })).arrayBuffer())
})

attack('pipelined requests, some of whose answers nobody takes', '8 × 9,000', async ({ url }) => {
  const sent = [
    { path: listBatch(1), count: 9_000, reads: false },
    { path: '/healthz', count: 9_000 },
    { path: '/api/x', count: 9_000 },
    { path: '/', count: 0, further: [UNKNOWN.repeat(9_000)] },
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

attack('chunks of one byte, also after large ones', '20 connections', async (site) => {
  const { ownerKey } = await attacker(site)
  const head = (path: string) =>
    `POST ${path} HTTP/1.1\r\nhost: x\r\nx-forwarded-for: ${STRANGER}\r\ncontent-type: ${FORM}\r\ntransfer-encoding: chunked\r\n\r\n`
  const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`
  const tiny = Array<string>(4).fill(chunk('x').repeat(10_000))
  const large = Array<string>(64).fill(chunk('x'.repeat(65_536)))
  const file = chunk(partOf('name="photos"; filename="a.jpg"'))
  const read = [head(`/api/albums/${ownerKey}/upload-photos`), file, ...large, ...tiny]
  const sent = [[head('/api/x'), ...tiny], read]
  return () =>
    holdFor1s(times(20, (at) => sendPipelined(site.url, { path: '/', count: 0, further: sent[at % 2]! })))
})

attack('long lists in headers, addresses, JSON and forms', '69 calls', async ({ url }) => {
  const calls = longLists()
  return () => Promise.allSettled(calls.map((call) => sendRaw(url, call, call.body)))
})

attack('photos of empty lines, and tiny ones that are padded to 5 MB', '20 and 15 calls', async (site) => {
  const { client, ownerKey } = await attacker(site)
  const path = `/api/albums/${ownerKey}/upload-photos`
  const lines = `${partOf('name="photos"; filename="a.jpg"')}${'\r\n\r\n'.repeat(60_000)}\r\n--x--\r\n`
  const padded = async () => {
    const picture = await newPicture()
    return [{ name: 'a.png', bytes: Buffer.concat([picture, Buffer.alloc(PHOTO_BYTES - picture.length)]) }]
  }
  return () =>
    Promise.all([
      atOnce(20, () => sendRaw(site.url, { method: 'POST', path, headers: { 'content-type': FORM } }, lines)),
      atOnce(15, async () => client.uploadPhotos(ownerKey, await padded())),
    ])
})

attack('changes of an album of their own', '100 calls', async (site) => {
  const { client, ownerKey } = await attacker(site)
  const photo = { name: 'photo.png', bytes: await newPicture() }
  const changes = [
    () => client.post(`/api/albums/${ownerKey}/finish-upload`, {}),
    () => client.post(`/api/albums/${ownerKey}/settings`, { browsing: 'on' }),
    () => client.uploadPhotos(ownerKey, [photo]),
  ]
  return async () => {
    // Otherwise most of these calls would soon be refused, before they need their turn.
    await site.db.deleteFrom('rate_limits').execute()
    await atOnce(100, (index) => changes[index % changes.length]!())
  }
})

attack('uploads of 20 MB that stall', '10 connections', async (site) => {
  const { ownerKey } = await attacker(site)
  const path = `/api/albums/${ownerKey}/upload-photos`
  const body = `${partOf('name="photos"; filename="a.jpg"')}${'x'.repeat(4_990_000)}\r\n`.repeat(4)
  const sent = { path, length: 70_000_000, body, type: FORM }
  return () => holdFor1s(times(10, (at) => sendPost(site.url, { ...sent, address: `198.19.0.${at % 2}` })))
})

attack('stored JPEGs of 20,000 scans, opened and left', '12 calls', async (site) => {
  const photos = await atOnce(12, async () => ({ name: 'a.png', bytes: await newPicture() }))
  const { urls } = await uploaded(site, photos)
  const bomb = withEmptyScans(await blank(4_000).greyscale().jpeg({ progressive: true }).toBuffer(), 20_000)
  const stored = await site.db
    .selectFrom('photos')
    .select(['album_id', 'sha256'])
    .where('album_id', '<>', site.album.id)
    .execute()
  // No upload would be accepted that takes so long.
  for (const { album_id, sha256 } of stored)
    await writeFile(join(site.dataDir, 'files/albums', album_id, sha256.toString('hex'), 'original'), bomb)
  const headers = { 'x-forwarded-for': STRANGER }
  return async (ending) => {
    const signal = AbortSignal.any([ending, AbortSignal.timeout(1_000)])
    await Promise.allSettled(urls.map((url) => fetch(url, { headers, signal })))
  }
})

attack('bombs of 1,500 scans or of metadata, from two networks', '10 calls', async (site) => {
  const photo = sharp(await readSample(1)).resize(4_000)
  const scans = withEmptyScans(await photo.jpeg({ progressive: true }).toBuffer(), 1_500)
  const bombs = [exifBomb(await blank(200).jpeg().toBuffer()), scans]
  const networks = await atOnce(2, () => attacker(site))
  return () =>
    Promise.all(
      networks.flatMap(({ client, ownerKey, guest }) => [
        ...bombs.map((bytes) => client.uploadPhotos(ownerKey, [{ name: 'a.jpg', bytes }])),
        ...times(3, (at) => guest.search(site.album.albumName, bombs[at % 2]!)),
      ]),
    )
})

attack('the slowest pictures, from two networks', '8 photos, 4 searches', async (site) => {
  const slow = (side: number) => blank(side).toColourspace('cmyk').jpeg({ progressive: true }).toBuffer()
  const [photo, selfie] = [await slow(8_000), await slow(4_000)]
  const networks = await atOnce(2, () => attacker(site))
  // Different bytes after the end of the picture, so that each is a photo of its own.
  const next = () => ({ name: 'a.jpg', bytes: Buffer.concat([photo, randomBytes(8)]) })
  return () =>
    Promise.all(
      networks.flatMap(({ client, ownerKey, guest }) => [
        client.uploadPhotos(ownerKey, times(4, next)),
        ...times(2, () => guest.search(site.album.albumName, selfie)),
      ]),
    )
})

attack('selfies of a hundred faces', '2 calls', async (site) => {
  const crowd = await crowdOf([await selfieFrom(site.db, 'sample1.jpg', await readSample(1))])
  const guest = await site.guest()
  return async () => {
    await guest.submitSelfie(crowd)
    await guest.search(site.album.albumName, crowd)
  }
})

attack('searches without a pause, of one network', '20 sessions', async (site) => {
  const guests = await atOnce(20, () => site.guest(STRANGER))
  return () => Promise.all(guests.map((guest) => guest.search(site.album.albumName, site.selfie)))
})

attack('forms of 10 MB that come slowly, of strangers and guests', '320 connections', async (site) => {
  const guests = await atOnce(20, () => site.guest('198.51.100.9'))
  const [search, submit] = ['/api/search-in-album', '/api/submit-photo'].map((path) => site.url + path)
  const fields = { albumName: site.album.albumName }
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
      for (const form of forms) void form.send(Buffer.alloc(8_000))
      await pause(250)
    }
    for (const form of forms) form.hangUp()
  }
})

attack('wrong passwords', '400 calls', async (site) => {
  const stranger = site.stranger()
  const path = `/api/albums/${site.album.albumName}/authenticate`
  return () => atOnce(400, () => stranger.post(path, { password: 'guess' }))
})

attack('large photos, and zips of them, that nobody takes', '600 × 40, 400 zips', async (site) => {
  const raw = { width: 2000, height: 2000, channels: 3 } as const
  const bytes = await sharp(randomBytes(2000 * 2000 * 3), { raw })
    .jpeg()
    .toBuffer()
  const photos = times(4, () => ({ name: 'a.jpg', bytes: Buffer.concat([bytes, randomBytes(8)]) }))
  const { client, addresses, urls } = await uploaded(site, photos)
  let zips: { url: string }[] = []
  while (zips.length === 0) zips = (await client.post('/api/zips', { photos: urls })).body.parts
  const unread = { address: STRANGER, reads: false }
  const zip = zips[0]!.url.replace(/^https?:\/\/[^/]*/, '')
  return () =>
    holdFor1s([
      ...times(600, () => sendPipelined(site.url, { ...unread, path: addresses[0]!, count: 40 })),
      ...times(400, () => sendPipelined(site.url, { ...unread, path: zip, count: 1 })),
    ])
})
