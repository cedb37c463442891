import { afterEach, describe, expect, onTestFinished, test } from 'vitest'
import { appOfFile } from '../testing/app-of-file.ts'
import { type BegunForm, beginForm } from '../testing/begun-form.ts'
import { createClient } from '../testing/client.ts'
import { buildApp } from './app.ts'
import { LIMITS } from './limits.ts'

const MB = 1024 * 1024
/** No picture, so that its search ends at once. */
const WORDS = Buffer.from('just words')

const service = await appOfFile({ work: false })
const owner = createClient(service.url)
const { albumName } = await owner.createAlbum()

const forms: BegunForm[] = []
afterEach(() => {
  for (const form of forms.splice(0)) form.hangUp()
})

type FormOptions = Parameters<typeof beginForm>[1] & { url?: string }
function begin(path: string, { url = service.url, ...options }: FormOptions): BegunForm {
  const form = beginForm(url + path, options)
  forms.push(form)
  return form
}
const search = (options: FormOptions = {}) =>
  begin('/api/search-in-album', { cookie: owner.cookie(), fields: { albumName }, ...options })

describe('at the first byte of the photo', () => {
  test('a search of an album without a grant is refused, when its name comes first', async () => {
    const other = createClient(service.url)
    const { albumName: theirs } = await other.createAlbum('Theirs')
    expect(await search({ fields: { albumName: theirs } }).answer).toMatchObject({ status: 401 })
    expect(await search({ fields: { albumName: 'unknown' } }).answer).toMatchObject({ status: 404 })
  })

  test('a form that says it is larger than three selfies is refused', async () => {
    expect(await search({ length: 31 * MB }).answer).toMatchObject({ status: 413 })
  })
})

test('a form that arrives too slowly is given up, and its places are free again', async () => {
  const app = await buildApp(service.context, { ...LIMITS, selfie: 500 })
  onTestFinished(() => app.close())
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  // Together they take all the places of their network.
  const slow = [1, 2, 3].map(() => search({ url, length: 30 * MB }))
  const again = createClient(url, owner.cookie()).search(albumName, WORDS)
  for (const form of slow) expect(await form.answer).toMatchObject({ status: 408, body: { code: 'TIMEOUT' } })
  expect((await again).status).toBe(415)
})

test('a hall of guests whose selfies stand still leaves room to a guest of another network', async () => {
  // Three pictures of 10 MB each, so that few of them take all the places of their network.
  const hall = { address: '203.0.113.1', length: 30 * MB }
  for (let count = 0; count < 4; count++) search(hall)
  const guest = createClient(service.url, owner.cookie(), { 'x-forwarded-for': '203.0.113.2' })
  expect((await guest.search(albumName, WORDS)).status).toBe(415)
})
