import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../testing/app.ts'
import { createClient, readSample } from '../testing/client.ts'

let service: TestApp
let addresses: Record<'url' | 'thumbUrl' | 'previewUrl' | 'downloadUrl', string>
beforeAll(async () => {
  service = await startTestApp({ work: false })
  const owner = createClient(service.url)
  const { ownerKey } = await owner.createAlbum()
  await owner.uploadPhotos(ownerKey, [{ name: 'a.jpg', bytes: await readSample(1) }])
  const { db, links } = service.context
  const { id } = await db.selectFrom('photos').select('id').executeTakeFirstOrThrow()
  addresses = links.sign(id, 1)
})
afterAll(() => service?.close())

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
    for (const [range, start, end] of [
      ['bytes=0-9', 0, 10],
      ['bytes=0-', 0, length],
      [`bytes=${length - 1}-`, length - 1, length],
      ['bytes=-7', length - 7, length],
      ['bytes=1000-2999', 1000, Math.min(3000, length)],
    ] as const) {
      const part = await ask(path, { range, 'if-range': etag })
      expect([part.status, part.headers.get('content-range')], range).toEqual([
        206,
        `bytes ${start}-${end - 1}/${length}`,
      ])
      expect(part.headers.get('content-length')).toBe(String(end - start))
      expect(part.headers.get('content-disposition')).toBe(whole.headers.get('content-disposition'))
      expect(Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(start, end)), range).toBe(true)
    }
    const beyond = await ask(path, { range: `bytes=${length}-` })
    expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, `bytes */${length}`])
    const head = await ask(path, { range: 'bytes=0-9' }, 'HEAD')
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(length)])
    const other = await ask(path, { range: 'bytes=0-9', 'if-range': '"another"' })
    expect([other.status, (await other.arrayBuffer()).byteLength]).toEqual([200, length])
  }
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
