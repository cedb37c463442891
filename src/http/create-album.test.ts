import { expect, test } from 'vitest'
import { appOfFile } from '../testing/app-of-file.ts'
import { createClient } from '../testing/client.ts'

const service = await appOfFile({ work: false })
const client = createClient(service.url)

test('albumName makes the slug, in any case, and displayName is shown, also when they differ', async () => {
  const input = { email: 'owner@example.com', albumName: 'anna and bob', displayName: 'Anna & Bob, at last!' }
  const { status, body } = await client.post('/api/user-albums', input)
  expect(status).toBe(200)
  const shown = { albumName: 'anna-and-bob', displayName: 'Anna & Bob, at last!' }
  expect(body.userAlbum).toMatchObject(shown)
  expect((await client.get('/api/albums/by-name/Anna-and-BOB')).body.album).toMatchObject(shown)
  const { displayName } = (await client.get('/api/albums/auth-status/anna-and-bob')).body
  expect(displayName).toBe('Anna & Bob, at last!')
})

test('without a displayName the albumName is shown', async () => {
  const input = { email: 'owner@example.com', albumName: '🎉 حفلة زفاف' }
  const { body } = await client.post('/api/user-albums', input)
  expect(body.userAlbum.displayName).toBe('🎉 حفلة زفاف')
})

test('a name that is taken, or equals another path, gets a suffix', async () => {
  await client.createAlbum('Same name')
  expect((await client.createAlbum('Same name')).albumName).toMatch(/^same-name-[a-z0-9]{4}$/)
  expect((await client.createAlbum('Progress')).albumName).toMatch(/^progress-/)
})
