import { describe, expect, test } from 'vitest'
import { RATE_LIMITS } from '../albums/rate-limits.ts'
import {
  albumName,
  owner as client,
  createAlbumForEachTest,
  service,
} from '../testing/album-for-each-test.ts'
import { createClient } from '../testing/client.ts'
import { expectError } from '../testing/expect-error.ts'
import { postRaw } from '../testing/raw-call.ts'

createAlbumForEachTest({ work: false })

describe('creating an album', () => {
  test('several faults are one text, with one period between two sentences', async () => {
    const answer = await client.post('/api/albums/party/alerts', { consentVersion: 0 })
    expectError(answer, 400, /and no letters are sent\. consentVersion must be/)
  })

  test.each([
    ['a very long address', { email: `${'a'.repeat(250)}@example.com` }],
    ['an address that ends in a line break', { email: 'a@example.com\r\n' }],
    ['a very long name', { albumName: 'x'.repeat(121) }],
    ['a name of blanks', { albumName: '   ' }],
    ['a name with a line break', { albumName: 'Party\nBcc: all@example.com' }],
    ['a name that is not text', { albumName: { $ne: null } }],
    ['a display name with a line break', { displayName: 'Party\nX: y' }],
  ])('%s', async (_what, wrong) => {
    const input = { email: 'owner@example.com', albumName: 'Party', ...wrong }
    expectError(await client.post('/api/user-albums', input), 400, /./)
  })
})

describe('values inside values, too many to write down again', () => {
  const lists = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
  const objects = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`
  const json = { 'content-type': 'application/json' }

  test('are refused over tRPC, in a body, an address and a batch', async () => {
    for (const deep of ['['.repeat(60_000), lists(30_000), objects(9_000)]) {
      const alone = await postRaw(service.url, '/trpc/albums.create', json, deep)
      expect([alone.status, alone.body.error.data.code]).toEqual([400, 'BAD_REQUEST'])
      const batch = `{"0":${deep.slice(0, 29_000)},"1":${deep.slice(0, 29_000)}}`
      const both = await postRaw(service.url, '/trpc/albums.create,albums.create?batch=1', json, batch)
      expect(both.status).toBe(400)
    }
    for (const deep of ['['.repeat(14_000), lists(7_000), encodeURIComponent(objects(800))]) {
      const call = await client.get(`/trpc/albums.authStatus?input=${deep}`)
      expect(call.status).toBe(400)
      const batch = `{"0":${decodeURIComponent(deep)}}`
      const batched = await client.get(
        `/trpc/albums.authStatus?batch=1&input=${encodeURIComponent(batch).slice(0, 14_000)}`,
      )
      expect(batched.status).toBe(400)
    }
  })

  test('a call with a harmless depth is read', async () => {
    const input = { email: 'owner@example.com', albumName: 'Party', more: { than: ['is', { needed: 1 }] } }
    expect((await client.post('/api/user-albums', input)).status).toBe(200)
  })
})

test('many wrong passwords are answered 429 with the time to wait', async () => {
  const path = `/api/albums/${albumName}/authenticate`
  const guesser = createClient(service.url, '', { 'x-forwarded-for': '198.51.100.7' })
  for (let tries = 0; tries < RATE_LIMITS.wrongSecret.calls; tries++)
    await guesser.post(path, { password: `guess ${tries}` })
  const answer = await guesser.post(path, { password: 'guess again' })
  expectError(answer, 429, /Too many wrong passwords/)
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(500)
})
