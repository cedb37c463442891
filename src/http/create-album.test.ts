import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../testing/app.ts'
import { createClient, type TestClient } from '../testing/client.ts'

let service: TestApp
let client: TestClient

beforeAll(async () => {
  service = await startTestApp({ work: false })
  client = createClient(service.url)
})
afterAll(() => service?.close())

describe('POST /api/user-albums', () => {
  test('albumName makes the slug, in any case, and displayName is shown, also when they differ', async () => {
    const input = {
      email: 'owner@example.com',
      albumName: 'anna and bob',
      displayName: 'Anna & Bob, at last!',
    }
    const { status, body } = await client.post('/api/user-albums', input)
    expect(status).toBe(200)
    const shown = { albumName: 'anna-and-bob', displayName: 'Anna & Bob, at last!' }
    expect(body.userAlbum).toMatchObject(shown)
    expect((await client.get('/api/albums/by-name/Anna-and-BOB')).body.album).toMatchObject(shown)
    expect((await client.get('/api/albums/auth-status/anna-and-bob')).body.displayName).toBe(
      'Anna & Bob, at last!',
    )
  })

  test('without a displayName the albumName is shown', async () => {
    const input = { email: 'owner@example.com', albumName: 'Garden Party!' }
    const { body } = await client.post('/api/user-albums', input)
    expect(body.userAlbum).toMatchObject({ albumName: 'garden-party', displayName: 'Garden Party!' })
  })

  test('emoji and right-to-left names get a URL-safe slug and keep their name', async () => {
    for (const name of ['🎉🎂', 'حفلة زفاف', 'Ünïcödé & Söhne', '结婚', '%2F..%00', '../../etc/passwd']) {
      const { albumName: slug } = await client.createAlbum(name)
      expect(slug).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/)
      const { body } = await client.get(`/api/albums/auth-status/${slug}`)
      expect(body).toMatchObject({ albumExists: true, displayName: name })
    }
  })

  test('a name that is taken, or equals another path, gets a suffix', async () => {
    const first = await client.createAlbum('Same name')
    const second = await client.createAlbum('Same name')
    expect(first.albumName).toBe('same-name')
    expect(second.albumName).toMatch(/^same-name-[a-z0-9]{4}$/)
    const { albumName: progress } = await client.createAlbum('Progress')
    expect(progress).toMatch(/^progress-/)
  })
})
