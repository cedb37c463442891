import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../testing/app.ts'
import { createClient } from '../testing/client.ts'
import { newSetupLink } from '../testing/maintainer.ts'
import { sendRaw } from '../testing/raw-call.ts'

let service: TestApp
beforeAll(async () => {
  service = await startTestApp({ work: false })
})
afterAll(() => service?.close())

const from = (address: string) => createClient(service.url, '', { 'x-forwarded-for': address })

test('of 600 names that one address guesses, it learns about 300, and other visitors enter', async () => {
  const { albumName } = await from('198.18.0.1').createAlbum('The party of the year')
  const guesser = from('198.18.0.2')
  let answered = 0
  for (let first = 0; first < 600; first += 20) {
    const names = Array.from({ length: 20 }, (_, index) => `guess-${first + index}`)
    const answers = await Promise.all(names.map((name) => guesser.get(`/api/albums/auth-status/${name}`)))
    answered += answers.filter(({ status }) => status === 200).length
  }
  expect(answered).toBe(300)
  const right = await guesser.get(`/api/albums/auth-status/${albumName}`)
  expect([right.status, right.body.displayName]).toEqual([429, undefined])
  expect((await from('198.18.0.3').get(`/api/albums/auth-status/${albumName}`)).status).toBe(200)
})

test('the name of an erased album cannot be taken', async () => {
  const owner = from('198.18.0.4')
  const { albumName, ownerKey } = await owner.createAlbum('Our wedding')
  expect((await owner.delete(`/api/albums/${ownerKey}`)).status).toBe(200)
  expect((await from('198.18.0.5').createAlbum('Our wedding')).albumName).not.toBe(albumName)
})

test('the page of another site cannot read this machine under a name of its own', async () => {
  for (const path of ['/', '/api/albums/list', '/trpc/albums.list'])
    expect(
      (await sendRaw(service.url, { method: 'GET', path, headers: { host: 'evil.example' } })).status,
    ).toBe(400)
})

test("a copy of a maintainer's cookie shows nothing after the log-out", async () => {
  const { token } = await newSetupLink(service)
  const maintainer = from('198.18.0.6')
  await maintainer.post('/trpc/mailSetup.openSetupLink', { token })
  const copy = createClient(service.url, maintainer.cookie())
  expect((await copy.get('/metrics')).status).toBe(200)
  await maintainer.post('/api/log-out', {})
  expect((await copy.get('/metrics')).status).toBe(401)
  expect((await copy.get('/readyz')).body).toEqual({ ready: true })
  expect((await copy.get('/api/gmail/auth-url')).status).toBe(401)
})
