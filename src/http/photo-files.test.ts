import { expect, onTestFinished, test, vi } from 'vitest'
import { appOfFile } from '../testing/app-of-file.ts'
import { createClient, readSample } from '../testing/client.ts'

const service = await appOfFile({ work: false })
const owner = createClient(service.url)
const { ownerKey } = await owner.createAlbum()
// Looks like "invoiceexe.jpg".
await owner.uploadPhotos(ownerKey, [{ name: 'invoice\u202egpj.exe', bytes: await readSample(1) }])
const { db, links } = service.context
const { id } = await db.selectFrom('photos').select('id').executeTakeFirstOrThrow()
const addresses = links.sign(id, 1)

const ask = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(service.url + path, { method, headers })

test('a photo is sent in the ranges that are asked for, in all its sizes', async () => {
  for (const path of Object.values(addresses)) {
    const whole = await ask(path)
    const bytes = Buffer.from(await whole.arrayBuffer())
    const { length } = bytes
    expect([whole.status, whole.headers.get('accept-ranges')]).toEqual([200, 'bytes'])
    const etag = whole.headers.get('etag')!
    expect(etag).toMatch(/^"[^"]+"$/)
    const part = await ask(path, { range: 'bytes=-7', 'if-range': etag })
    expect([part.status, part.headers.get('content-range')]).toEqual([
      206,
      `bytes ${length - 7}-${length - 1}/${length}`,
    ])
    expect(part.headers.get('content-disposition')).toBe(whole.headers.get('content-disposition'))
    expect(Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(-7))).toBe(true)
    const head = await ask(path, { range: 'bytes=0-9' }, 'HEAD')
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(length)])
    const other = await ask(path, { range: 'bytes=0-9', 'if-range': '"another"' })
    expect([other.status, (await other.arrayBuffer()).byteLength]).toEqual([200, length])
  }
})

test('a photo that was named like a program is saved as a picture', async () => {
  const nameOf = async (path: string) => (await ask(path, {}, 'HEAD')).headers.get('content-disposition')
  expect(await nameOf(addresses.downloadUrl)).toBe('attachment; filename=invoicegpj.jpg')
  expect(await nameOf(addresses.url)).toBe('inline; filename=invoicegpj.jpg')
  expect(await nameOf(addresses.thumbUrl)).toBe('inline; filename=invoicegpj.webp')
})

test('the file of a photo is not read for HEAD', async () => {
  const { storage } = service.context
  const opened = vi.spyOn(storage, 'open')
  onTestFinished(() => opened.mockRestore())
  await ask(addresses.downloadUrl, {}, 'HEAD')
  const [file] = await Promise.all(opened.mock.results.map(({ value }) => value))
  expect(file.stream).toMatchObject({ destroyed: true, readableDidRead: false })
})

test('a browser that has the photo gets 304', async () => {
  const { headers } = await ask(addresses.thumbUrl, {}, 'HEAD')
  const etag = headers.get('etag')!
  for (const known of [etag, `W/${etag}`, `"else", ${etag}`, '*'])
    for (const method of ['GET', 'HEAD']) {
      const answer = await ask(addresses.thumbUrl, { 'if-none-match': known }, method)
      expect([answer.status, answer.headers.get('etag'), await answer.text()], known).toEqual([304, etag, ''])
      expect(answer.headers.get('cache-control')).toBe(headers.get('cache-control'))
    }
  expect((await ask(addresses.thumbUrl, { 'if-none-match': '"else"' })).status).toBe(200)
  expect((await ask(addresses.thumbUrl, { 'if-match': '"else"' })).status).toBe(412)
  const sizes = await Promise.all(Object.values(addresses).map((path) => ask(path, {}, 'HEAD')))
  expect(new Set(sizes.map((answer) => answer.headers.get('etag'))).size).toBe(sizes.length)
})
