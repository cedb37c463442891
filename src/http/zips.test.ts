import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { photoKey } from '../photos/renditions.ts'
import { startTestApp, type TestApp } from '../testing/app.ts'
import { createClient, readSample, type TestClient } from '../testing/client.ts'
import { createZip } from '../zips/create-zip.ts'
import { findZip } from '../zips/find-zip.ts'
import { readZip } from '../zips/read-zip.ts'
import { deleteEndedZips } from '../zips/zip-queries.ts'

const run = promisify(execFile)

let service: TestApp
let db: TestApp['database']['db']
let folder: string
let owner: TestClient
let ownerKey: string
/** Of three photos. Two have the same name. */
let addresses: string[]

beforeAll(async () => {
  service = await startTestApp({ work: false })
  db = service.database.db
  folder = await mkdtemp(join(tmpdir(), 'inframe-zips-'))
})
afterAll(async () => {
  await service?.close()
  await rm(folder, { recursive: true })
})

const NAME = 'Strand – Zoë 🌊.jpg'

beforeEach(async () => {
  owner = createClient(service.url)
  ;({ ownerKey } = await owner.createAlbum('Zip party'))
  const dated = sharp(await readSample(1)).withExif({ IFD2: { DateTimeOriginal: '2025:08:19 14:03:22' } })
  await owner.uploadPhotos(ownerKey, [
    { name: NAME, bytes: await dated.jpeg().toBuffer() },
    { name: NAME, bytes: await readSample(2) },
    // Without a date.
    {
      name: 'sample3.jpg',
      bytes: await sharp(await readSample(3))
        .jpeg()
        .toBuffer(),
    },
  ])
  addresses = (await storedPhotos()).map(({ id }) => service.context.services.links.sign(id, 1).downloadUrl)
})
afterEach(async () => {
  await owner.delete(`/api/albums/${ownerKey}`)
})

function storedPhotos() {
  return db.selectFrom('photos').selectAll().orderBy('filename').orderBy('size').execute()
}

async function makeZip(fields: object = {}) {
  const { status, body } = await createClient(service.url).post('/api/zips', { photos: addresses, ...fields })
  expect([status, body]).toEqual([200, expect.anything()])
  return body as Awaited<ReturnType<typeof createZip>>
}

async function bytesAt(url: string, headers: Record<string, string> = {}): Promise<Buffer> {
  return Buffer.from(await (await fetch(url, { headers })).arrayBuffer())
}

/** What Info-ZIP's unzip says about a zip after it has read all of it. Fails when it finds any fault. */
async function unzipped(zip: Buffer) {
  const path = join(folder, 'photos.zip')
  await writeFile(path, zip)
  const { stdout } = await run('unzip', ['-tq', path])
  expect(stdout).toContain('No errors detected')
  const { stdout: names } = await run('unzip', ['-Z1', path], { env: { ...process.env, LC_ALL: 'C.UTF-8' } })
  const { stdout: list } = await run('unzip', ['-ZT', path])
  const content = (name: string) =>
    run('unzip', ['-p', path, name], { encoding: 'buffer', maxBuffer: 1e8 }).then(({ stdout }) => stdout)
  return { names: names.trim().split('\n'), list, content }
}

test('a zip has the downloads of all photos, with unique names and the times at which they were taken', async () => {
  const { parts, ...counts } = await makeZip()
  expect(counts).toEqual({ photosReady: 3, photosTotal: 3, photosLeftOut: 0 })
  expect(parts).toEqual([
    {
      url: expect.stringContaining(service.url),
      filename: 'zip-party.zip',
      bytes: expect.any(Number),
      photos: 3,
    },
  ])
  const answer = await fetch(parts[0]!.url)
  expect(answer.headers.get('content-length')).toBe(String(parts[0]!.bytes))
  expect(answer.headers.get('content-disposition')).toBe('attachment; filename=zip-party.zip')
  const zip = await unzipped(Buffer.from(await answer.arrayBuffer()))
  expect(zip.names.toSorted()).toEqual([NAME, NAME.replace('.jpg', ' (2).jpg'), 'sample3.jpg'].toSorted())
  expect(zip.list).toContain('20250819.140322')
  expect(zip.list).toContain(new Date().toISOString().slice(0, 10).replaceAll('-', ''))
  const download = await bytesAt(service.url + addresses[0]!)
  expect((await zip.content(zip.names[0]!)).equals(download)).toBe(true)
})

test('a download that was interrupted continues where it stopped, and any range has the same bytes', async () => {
  const { url, bytes } = (await makeZip()).parts[0]!
  const whole = await bytesAt(url)
  const { headers } = await fetch(url, { method: 'HEAD' })
  expect([headers.get('accept-ranges'), headers.get('content-length')]).toEqual(['bytes', String(bytes)])
  const etag = headers.get('etag')!
  const stopped = Math.floor(bytes / 3)
  const rest = await fetch(url, { headers: { range: `bytes=${stopped}-`, 'if-range': etag } })
  expect(rest.status).toBe(206)
  expect(rest.headers.get('content-range')).toBe(`bytes ${stopped}-${bytes - 1}/${bytes}`)
  await unzipped(Buffer.concat([whole.subarray(0, stopped), Buffer.from(await rest.arrayBuffer())]))
  for (const [start, end] of [
    [0, 0],
    [20, 70],
    [stopped - 1000, stopped + 700_000],
    [bytes - 100, bytes - 1],
  ] as const) {
    const range = await bytesAt(url, { range: `bytes=${start}-${end}` })
    expect(range.equals(whole.subarray(start, end + 1)), `${start}-${end}`).toBe(true)
  }
  const other = await fetch(url, { headers: { range: 'bytes=5-', 'if-range': '"another"' } })
  expect([other.status, (await other.arrayBuffer()).byteLength]).toEqual([200, bytes])
  expect((await fetch(url, { headers: { range: `bytes=${bytes}-` } })).status).toBe(416)
})

test('photos that are larger together than a part are split, each part a zip of its own', async () => {
  const all = await makeZip()
  const half = Math.ceil(all.parts[0]!.bytes / 2)
  const { parts } = await makeZip({ partBytes: half })
  expect(parts.length).toBeGreaterThan(1)
  expect(parts.map(({ filename }) => filename)).toEqual(
    parts.map((_, index) => `zip-party-${index + 1}-of-${parts.length}.zip`),
  )
  const names = []
  for (const { url, bytes, photos } of parts) {
    expect(bytes).toBeLessThanOrEqual(half)
    const zip = await unzipped(await bytesAt(url))
    expect(zip.names).toHaveLength(photos)
    names.push(...zip.names)
  }
  expect(new Set(names).size).toBe(3)
})

test('while photos are prepared the answer says how many are ready, and the next call continues', async () => {
  const { services } = service.context
  const options = { origin: '', countAlbums: async () => {} }
  const input = { photos: addresses, partBytes: 2e9 }
  const first = await createZip(services, input, options, 0)
  expect(first).toMatchObject({ photosTotal: 3, parts: [] })
  expect(first.photosReady).toBeLessThan(3)
  expect((await makeZip()).parts).toHaveLength(1)
  expect((await createZip(services, input, options, 0)).parts).toHaveLength(1)
})

test('a photo that was removed is left out of a new zip, and ends one that has it', async () => {
  const { parts } = await makeZip()
  await db.deleteFrom('photos').where('filename', '=', 'sample3.jpg').execute()
  expect((await fetch(parts[0]!.url)).status).toBe(404)
  expect(await makeZip()).toMatchObject({ photosTotal: 2, photosLeftOut: 1 })
  await db.deleteFrom('photos').execute()
  expect((await owner.post('/api/zips', { photos: addresses })).status).toBe(404)
})

test('a file that is not as it was ends the download early, and the next zip has it again', async () => {
  const { storage } = service.context.services
  const { url, bytes } = (await makeZip()).parts[0]!
  const { album_id, sha256 } = (await storedPhotos())[2]!
  const key = photoKey(album_id, sha256, 'full')
  const former = await storage.read(key)
  await storage.delete(key)
  await expect(bytesAt(url)).rejects.toThrow()
  await makeZip()
  const changed = Buffer.from(former)
  changed[1000]! ^= 1
  await storage.write(key, changed, 'image/jpeg')
  await expect(bytesAt(url)).rejects.toThrow()
  const again = (await makeZip()).parts[0]!
  expect(again.bytes).toBe(bytes)
  await unzipped(await bytesAt(again.url))
})

/** Reads a zip up to its second photo, makes a change, and reads on. */
async function readAcross(change: () => Promise<unknown>): Promise<unknown> {
  const { services } = service.context
  const zip = await findZip(services.db, (await makeZip()).parts[0]!.url.split('/').at(-1)!)
  const second = zip.layout.pieces.filter((piece) => 'entry' in piece)[1]!.start
  const stream = readZip(services, zip, { start: 0, end: zip.layout.size })
  for (let read = 0; read < second; ) read += ((await stream.next()).value as Buffer).length
  await change()
  return stream.next()
}

test('a new password in the middle ends the download, and its address', async () => {
  const changePassword = () => owner.post(`/api/albums/${ownerKey}/password`, {})
  await expect(readAcross(changePassword)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  const former = await owner.post('/api/zips', { photos: addresses })
  expect([former.status, former.body.message]).toEqual([403, expect.stringContaining('password has changed')])
})

test('a photo that is hidden is left out of a new zip, and ends a download in the middle', async () => {
  const hide = () => db.updateTable('photos').set({ state: 'hidden' }).execute()
  await expect(readAcross(hide)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  expect((await owner.post('/api/zips', { photos: addresses })).status).toBe(404)
})

test('a photo that is removed in the middle ends the download', async () => {
  const remove = () => db.deleteFrom('photos').execute()
  await expect(readAcross(remove)).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

test('erasing the album erases its zips, and those whose time is over are deleted', async () => {
  const [one, other] = [await makeZip(), await makeZip()].map(({ parts }) => parts[0]!.url)
  const first = db.selectFrom('zip_parts').select('token_hash').limit(1)
  await db
    .updateTable('zip_parts')
    .set({ ends_at: new Date(0) })
    .where('token_hash', '=', first)
    .execute()
  const statuses = await Promise.all([one!, other!].map(async (url) => (await fetch(url)).status))
  expect(statuses.toSorted()).toEqual([200, 404])
  await deleteEndedZips(service.context.services.db)
  expect(await db.selectFrom('zip_parts').selectAll().execute()).toHaveLength(1)
  await owner.delete(`/api/albums/${ownerKey}`)
  expect(await db.selectFrom('zip_parts').selectAll().execute()).toEqual([])
})

test('what a guest has found cannot be read from the database', async () => {
  await makeZip()
  const [row] = await db.selectFrom('zip_parts').select('sealed').execute()
  expect(row!.sealed.toString('latin1')).not.toMatch(/sample3|sha256|entries/)
})

test('only genuine addresses of photos that have not expired make a zip', async () => {
  const { links } = service.context.services
  const { id } = (await storedPhotos())[0]!
  const statusOf = async (address: string) => (await owner.post('/api/zips', { photos: [address] })).status
  expect(await statusOf(`${service.url}${addresses[0]}`)).toBe(200)
  expect(await statusOf(addresses[0]!.replace(/s=....../, 's=AAAAAA'))).toBe(403)
  expect(await statusOf(links.sign(id, 1, Date.now() - 2 * 3_600_000).url)).toBe(403)
  for (const other of ['', 'http://', '/photos/x/full', `/photos/${id}/full`])
    expect(await statusOf(other)).toBe(403)
  expect((await fetch(`${service.url}/zips/${'A'.repeat(43)}`)).status).toBe(404)
  expect((await fetch(`${service.url}/zips/x`)).status).toBe(404)
})
