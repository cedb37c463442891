import { expect, test } from 'vitest'
import { RATE_LIMITS } from '../albums/rate-limits.ts'
import { appOfFile, guestOf } from '../testing/app-of-file.ts'
import { createClient, type TestClient } from '../testing/client.ts'

const ALLOWED = 3

const limits = structuredClone(RATE_LIMITS)
for (const name of ['unknownName', 'changeAlbum', 'newAddress'] as const) limits[name].calls = ALLOWED
const service = await appOfFile({ work: false, limits })
const owner = createClient(service.url, '', { 'x-forwarded-for': '192.0.2.1' })
const { albumName } = await owner.createAlbum('A hidden party')

let networks = 1
const newNetwork = () => `192.0.2.${++networks}`
const from = (address: string) =>
  createClient(service.url, '', { 'x-forwarded-for': address, accept: 'text/html' })

/** Every call that answers differently for a name that exists. */
const CALLS: Record<string, (client: TestClient, name: string) => Promise<{ status: number }>> = {
  'auth-status': (client, name) => client.get(`/api/albums/auth-status/${name}`),
  visit: (client, name) => client.query('albums.visit', { albumName: name }),
  authenticate: (client, name) => client.post(`/api/albums/${name}/authenticate`, { password: 'guess' }),
  'by-name': (client, name) => client.get(`/api/albums/by-name/${name}`),
  browse: (client, name) => client.get(`/api/albums/${name}/photos`),
}

async function guessTooMany(client: TestClient): Promise<void> {
  for (let guess = 0; guess < ALLOWED; guess++)
    expect((await client.get(`/api/albums/auth-status/guess-${guess}`)).body.albumExists).toBe(false)
}

test.each(Object.entries(CALLS))(
  'too many guesses are no longer answered by %s, right or wrong',
  async (_, call) => {
    const guesser = from(newNetwork())
    for (let guess = 0; guess < ALLOWED; guess++)
      expect((await call(guesser, `guess-${guess}`)).status).not.toBe(429)
    expect((await call(guesser, 'one-more-guess')).status).toBe(429)
    expect((await call(guesser, albumName)).status).toBe(429)
  },
)

test("an album's page does not name the album any more", async () => {
  const guesser = from(newNetwork())
  expect((await guesser.get(`/album/${albumName}`)).body).toContain('A hidden party')
  const other = from(newNetwork())
  await guessTooMany(other)
  expect((await other.get(`/album/${albumName}`)).body).not.toContain('A hidden party')
})

test('the same unknown name counts once, so a hall may open the link of an album that was erased', async () => {
  const hall = from(newNetwork())
  for (let guest = 0; guest < 20; guest++)
    expect((await hall.get('/api/albums/auth-status/erased-yesterday')).status).toBe(200)
  expect((await hall.get('/api/albums/auth-status/mistyped')).status).toBe(200)
})

test('a guest who guesses does not lock out the others of the hall, who know the name', async () => {
  const address = newNetwork()
  expect((await from(address).get(`/api/albums/auth-status/${albumName}`)).status).toBe(200)
  await guessTooMany(from(address))
  expect((await from(address).get('/api/albums/auth-status/another')).status).toBe(429)
  const guest = from(address)
  expect((await guest.get(`/api/albums/auth-status/${albumName}`)).body.albumExists).toBe(true)
  await guestOf(service, owner, albumName, guest)
})

test.each([
  ['password', {}],
  ['settings', { browsing: 'on' }],
  ['letter-address', { email: 'new@example.com' }],
])(
  'changes of one album, with %s, leave the owner of another behind the same address theirs',
  async (path, change) => {
    const client = from(newNetwork())
    const [{ ownerKey: strangers }, { ownerKey }] = [await client.createAlbum(), await client.createAlbum()]
    const statusOf = async (key: string) => (await client.post(`/api/albums/${key}/${path}`, change)).status
    for (let calls = 0; calls < ALLOWED; calls++) await statusOf(strangers)
    expect([await statusOf(strangers), await statusOf(ownerKey)]).toEqual([429, 200])
  },
)
