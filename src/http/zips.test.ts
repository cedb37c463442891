import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import sharp from 'sharp'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ZIP_AFTER_RESULTS_MS, ZIP_CONTINUES_MS, ZIP_PART_MAX_PHOTOS } from '../contract/limits.ts'
import { photoKey } from '../photos/renditions.ts'
import { appOfFile } from '../testing/app-of-file.ts'
import { createClient, readSample, type TestClient } from '../testing/client.ts'
import { exifFields, onlyTakenAt } from '../testing/exif-fields.ts'
import { folderOfFile } from '../testing/folder-of-file.ts'
import { insertPhotoRows } from '../testing/indexed-photos.ts'
import { insertMatchedSubmission } from '../testing/matched-submission.ts'
import { createZip } from '../zips/create-zip.ts'
import { entryOf, findZip, photosToZip } from '../zips/find-zip.ts'
import { partOfToken } from '../zips/zip-address.ts'

const run = promisify(execFile)

const service = await appOfFile({ work: false })
const { db } = service.database
const folder = await folderOfFile()

let owner: TestClient
let ownerKey: string
/** Of three photos. Two have the same name. */
let addresses: string[]

const NAME = 'Strand – Zoë 🌊.jpg'

beforeEach(async () => {
  owner = createClient(service.url)
  ;({ ownerKey } = await owner.createAlbum('Zip party'))
  const dated = sharp(await readSample(1)).withExif({
    IFD0: { Make: 'Secret Phone' },
    IFD2: { DateTimeOriginal: '2025:08:19 14:03:22', OffsetTimeOriginal: '+02:00' },
  })
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
  addresses = (await storedPhotos()).map(({ id }) => service.context.links.sign(id, 1).downloadUrl)
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
  const { stdout: list } = await run('unzip', ['-ZT', path], { env: { ...process.env, TZ: 'UTC' } })
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
  expect(zip.list).toContain('20250819.120322')
  expect(zip.list).toContain(new Date().toISOString().slice(0, 10).replaceAll('-', ''))
  const names = zip.names.filter((name) => name !== 'sample3.jpg')
  const fields = await Promise.all(names.map(async (name) => exifFields(await zip.content(name))))
  expect(fields).toContainEqual(onlyTakenAt('2025:08:19 14:03:22', '+02:00'))
  expect(fields).toContainEqual(onlyTakenAt('2016:08:13 01:11:41'))
  expect(await exifFields(await zip.content('sample3.jpg'))).toBeUndefined()
  const { id } = (await storedPhotos()).find(({ filename }) => filename === 'sample3.jpg')!
  const download = await bytesAt(service.url + service.context.links.sign(id, 1).downloadUrl)
  expect((await zip.content('sample3.jpg')).equals(download)).toBe(true)
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
  expect((await fetch(url, { headers: { range: 'bytes=5-', 'if-match': '"another"' } })).status).toBe(412)
})

test('photos that are larger together than a part are split, each part a zip of its own', async () => {
  const all = await makeZip()
  const half = Math.ceil(all.parts[0]!.bytes / 2)
  const { parts } = await makeZip({ partBytes: half })
  expect(parts.length).toBeGreaterThan(1)
  for (const [index, { filename }] of parts.entries())
    expect(filename).toMatch(new RegExp(`^zip-party[\\w-]*-${index + 1}-of-${parts.length}\\.zip$`))
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
  const { context } = service
  const options = {
    origin: '',
    network: '192.0.2.1',
    hungUp: new AbortController().signal,
  }
  const input = { photos: addresses, partBytes: 2e9 }
  const first = await createZip(context, input, options, 0)
  expect(first).toMatchObject({ photosTotal: 3, parts: [] })
  expect(first.photosReady).toBeLessThan(3)
  expect((await makeZip()).parts).toHaveLength(1)
  expect((await createZip(context, input, options, 0)).parts).toHaveLength(1)
})

test('a photo that was removed is left out of a new zip, and ends one that has it', async () => {
  const { parts } = await makeZip()
  await db.deleteFrom('photos').where('filename', '=', 'sample3.jpg').execute()
  expect((await fetch(parts[0]!.url)).status).toBe(404)
  expect(await makeZip()).toMatchObject({ photosTotal: 2, photosLeftOut: 1 })
  await db.deleteFrom('photos').execute()
  expect((await owner.post('/api/zips', { photos: addresses })).status).toBe(404)
})

test('a file that is missing is made again while the zip is sent; one of another size ends the download', async () => {
  const { storage } = service.context
  const { url, bytes } = (await makeZip()).parts[0]!
  const { album_id, sha256 } = (await storedPhotos())[2]!
  const key = photoKey(album_id, sha256, 'full')
  await storage.delete(key)
  const zip = await bytesAt(url)
  expect(zip).toHaveLength(bytes)
  await unzipped(zip)
  await storage.write(key, Buffer.alloc(1_000), 'image/jpeg')
  await expect(bytesAt(url)).rejects.toThrow()
})

test('no proxy is asked to keep a zip, and a reader may take nothing for ten minutes', async () => {
  const { url } = (await makeZip()).parts[0]!
  const sockets: Socket[] = []
  service.app.server.once('request', ({ socket }) => sockets.push(socket))
  const answer = await fetch(url)
  expect(answer.headers.get('x-accel-buffering')).toBe('no')
  expect(sockets.map(({ timeout }) => timeout)).toEqual([600_000])
  await answer.body?.cancel()
})

const partOf = (url: string) => partOfToken(service.context.keyring, url.split('/').at(-1)!)!

const ASKER = { network: '192.0.2.1' }

/** Reads a zip up to its second photo, makes a change, and reads on. */
async function readAcross(change: () => Promise<unknown>): Promise<unknown> {
  const { context } = service
  const opened: string[] = []
  const held = Promise.withResolvers<void>()
  const storage = {
    ...context.storage,
    open: async (key: string) => {
      if (opened.push(key) === 1) await held.promise
      return await context.storage.open(key)
    },
  }
  const zip = await findZip({ ...context, storage }, partOf((await makeZip()).parts[0]!.url))
  const reading = buffer(zip.open(ASKER))
  await expect.poll(() => opened).toHaveLength(1)
  await change()
  held.resolve()
  await expect(reading).rejects.toThrow()
  expect(opened).toHaveLength(1)
  return await reading.catch((error: unknown) => error)
}

test('a new password in the middle ends the download, and its address', async () => {
  const changePassword = () => owner.post(`/api/albums/${ownerKey}/password`, {})
  expect(await readAcross(changePassword)).toMatchObject({ code: 'FORBIDDEN' })
  const former = await owner.post('/api/zips', { photos: addresses })
  expect([former.status, former.body.message]).toEqual([403, expect.stringContaining('password has changed')])
})

test('a photo that is hidden is left out of a new zip, and ends a download in the middle', async () => {
  const hide = () => db.updateTable('photos').set({ state: 'hidden' }).execute()
  expect(await readAcross(hide)).toMatchObject({ code: 'NOT_FOUND' })
  expect((await owner.post('/api/zips', { photos: addresses })).status).toBe(404)
})

test('what fails before the first byte gets an answer, and no browser saves it as the zip', async () => {
  const { storage } = service.context
  const { url } = (await makeZip()).parts[0]!
  const first = partOf(url).photos[0]!
  const { album_id, sha256 } = (await storedPhotos()).find(({ id }) => id === first.id)!
  await storage.write(photoKey(album_id, sha256, 'full'), Buffer.alloc(1_000), 'image/jpeg')
  const inside = await fetch(url, { headers: { range: 'bytes=2000-' } })
  expect([inside.status, await inside.text()]).toEqual([404, expect.stringContaining('has ended')])
  for (const name of ['content-disposition', 'content-range', 'accept-ranges', 'etag'])
    expect([name, inside.headers.get(name)]).toEqual([name, null])
})

test('the same photos have the same address in any order', async () => {
  const [one, other] = await Promise.all([
    makeZip(),
    makeZip({ photos: [...addresses, ...addresses].toReversed() }),
  ])
  expect(other.parts).toEqual(one.parts)
})

test('a zip of more photos than an address can name has several parts, whose names differ', async () => {
  const { slug, id: album_id } = await db.selectFrom('albums').selectAll().executeTakeFirstOrThrow()
  const copies = Array(2 * ZIP_PART_MAX_PHOTOS).fill({ filename: 'copy.jpg', full_bytes: 1 })
  const inserted = await insertPhotoRows(db, album_id, copies)
  const photos = inserted.map(({ id }) => service.context.links.sign(id, 1).url)
  const { parts } = await makeZip({ photos: [...photos, addresses[0]!] })
  expect(parts.map(({ photos }) => photos)).toEqual([ZIP_PART_MAX_PHOTOS, ZIP_PART_MAX_PHOTOS, 1])
  expect(parts.map(({ filename }) => filename)).toEqual([1, 2, 3].map((place) => `${slug}-${place}-of-3.zip`))
  // Some proxies refuse more in an address.
  for (const { url } of parts) expect(url.length).toBeLessThan(5_000)
  const photosOfParts = parts.flatMap(({ url }) => partOf(url).photos)
  const ids = photosOfParts.map(({ id }) => id)
  const byId = new Map((await photosToZip(db, ids)).map((row) => [row.id, row]))
  const names = photosOfParts.map(({ id, number }) => entryOf(byId.get(id)!, number).name)
  expect(new Set(names).size).toBe(2 * ZIP_PART_MAX_PHOTOS + 1)
  // Otherwise the album would be erased by a job.
  await db.deleteFrom('photos').execute()
})

test('the address of a zip ends with those of its photos; who has begun may continue for an hour', async () => {
  const { context } = service
  const { url } = (await makeZip()).parts[0]!
  const part = partOf(url)
  expect(part.expires).toBe(Number(new URL(addresses[0]!, service.url).searchParams.get('e')))
  const [before, after] = [part.expires * 1000 - 1, part.expires * 1000]
  const { etag } = await findZip(context, part, undefined, before)
  const ended = { code: 'FORBIDDEN', message: expect.stringContaining('expired') }
  await expect(findZip(context, part, undefined, after)).rejects.toMatchObject(ended)
  await expect(findZip(context, part, '"another"', after)).rejects.toMatchObject(ended)
  expect((await findZip(context, part, etag, after + ZIP_CONTINUES_MS - 1)).etag).toBe(etag)
  await expect(findZip(context, part, etag, after + ZIP_CONTINUES_MS)).rejects.toMatchObject(ended)
})

test('a changed address opens nothing', async () => {
  const { url } = (await makeZip()).parts[0]!
  const token = url.split('/').at(-1)!
  const bytes = Buffer.from(token, 'base64url')
  for (const at of [0, 15, 16, 20, 25, 30, bytes.length - 1]) {
    const changed = Buffer.from(bytes)
    changed[at]! ^= 1
    expect((await fetch(`${service.url}/zips/${changed.toString('base64url')}`)).status).toBe(404)
  }
})

describe('a zip of the results of a submission', () => {
  let submissionId: string
  beforeEach(async () => {
    const [{ album_id, id } = { album_id: '', id: '' }] = await storedPhotos()
    submissionId = await insertMatchedSubmission(db, { albumId: album_id }, [{ photoId: id, similarity: 99 }])
  })
  const deleteResults = () => owner.delete(`/api/submissions/${submissionId}`)

  test('ends with them, for all but those who have begun to download it', async () => {
    const { url, bytes } = (await makeZip({ submissionId })).parts[0]!
    const whole = await fetch(url)
    expect((await whole.arrayBuffer()).byteLength).toBe(bytes)
    const etag = whole.headers.get('etag')!
    expect((await deleteResults()).status).toBe(200)
    const ended = await fetch(url)
    expect([ended.status, await ended.text()]).toEqual([404, expect.stringContaining('has ended')])
    expect((await fetch(url, { headers: { range: 'bytes=5-' } })).status).toBe(404)
    expect((await fetch(url, { headers: { range: 'bytes=5-', 'if-range': '"another"' } })).status).toBe(404)
    expect((await fetch(url, { headers: { 'if-match': etag } })).status).toBe(404)
    for (const condition of ['if-range', 'if-match']) {
      const rest = await fetch(url, { headers: { range: 'bytes=5-', [condition]: etag } })
      expect([rest.status, (await rest.arrayBuffer()).byteLength]).toEqual([206, bytes - 5])
    }
  })

  test('that is made after they were deleted can be begun for five minutes', async () => {
    await deleteResults()
    const { url } = (await makeZip({ submissionId })).parts[0]!
    const left = partOf(url).expires * 1000 - Date.now()
    expect(left).toBeLessThanOrEqual(ZIP_AFTER_RESULTS_MS)
    expect(left).toBeGreaterThan(ZIP_AFTER_RESULTS_MS - 60_000)
    expect((await fetch(url, { method: 'HEAD' })).status).toBe(200)
    expect(partOf((await makeZip({ submissionId: 'any' })).parts[0]!.url).expires).toBeLessThan(
      partOf((await makeZip()).parts[0]!.url).expires,
    )
  })

  test('does not say which submission it is, since that gives a right to the results', async () => {
    const { url } = (await makeZip({ submissionId })).parts[0]!
    const bytes = Buffer.from(url.split('/').at(-1)!, 'base64url')
    expect(bytes.includes(submissionId)).toBe(false)
    expect(bytes.toString('hex')).not.toContain(submissionId.replaceAll('-', ''))
    expect(partOf(url).submissionId).toBe(submissionId)
  })
})

test('only genuine addresses of photos that have not expired make a zip', async () => {
  const { links } = service.context
  const { id } = (await storedPhotos())[0]!
  const statusOf = async (address: string) => (await owner.post('/api/zips', { photos: [address] })).status
  expect(await statusOf(`${service.url}${addresses[0]}`)).toBe(200)
  expect(await statusOf(addresses[0]!.replace(/s=....../, 's=AAAAAA'))).toBe(403)
  expect(await statusOf(links.sign(id, 1, Date.now() - 2 * 3_600_000).url)).toBe(403)
  for (const other of ['', 'http://', '/photos/x/full', `/photos/${id}/full`])
    expect(await statusOf(other)).toBe(403)
})
