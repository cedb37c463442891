import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AttackedSite, startAttackedSite } from '../testing/attacked-site.ts'
import { createClient } from '../testing/client.ts'
import { type Pipeline, sendPost } from '../testing/pipelined.ts'
import { waitUntil } from '../testing/wait.ts'

const STRANGER = '198.19.0.1'

let site: AttackedSite
beforeAll(async () => {
  site = await startAttackedSite()
})
afterAll(() => site?.close())

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
    opened.push(await sendPost(site.url, { address: STRANGER, ...sent }))
  // One that takes too long is answered before its connection is closed. It does not count here.
  const isGivenUp = (one: Pipeline) => one.isClosed() && one.answers() === 0
  await waitUntil('the ends', async () => opened.filter(isGivenUp).length >= 280)
  const guest = createClient(site.url, '', { 'x-forwarded-for': STRANGER })
  const since = performance.now()
  expect((await guest.get(`/api/albums/auth-status/${site.album.albumName}`)).status).toBe(200)
  expect(performance.now() - since).toBeLessThan(5_000)
  for (const one of opened) one.hangUp()
})

test('a form is not read where no call takes one', async () => {
  const head = '--x\r\ncontent-disposition: form-data; name="a"\r\n\r\n'
  const form = await sendPost(site.url, {
    address: STRANGER,
    path: '/trpc/albums.create',
    length: 1_000_000_000,
    body: head,
    type: 'multipart/form-data; boundary=x',
  })
  await waitUntil('the answer', async () => form.answers() === 1)
  expect(form.text()).toContain('HTTP/1.1 415 ')
  form.hangUp()
})
