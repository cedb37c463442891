import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { listedAlbums } from '../albums/queries.ts'
import { addListedAlbums } from '../testing/album-rows.ts'
import { appOfFile } from '../testing/app-of-file.ts'
import { createClient, readSample, sampleUploads } from '../testing/client.ts'

const service = await appOfFile({ work: false })
beforeEach(async () => {
  await service.database.db.deleteFrom('albums').execute()
})

type Listed = { albumName: string }[]
const names = (albums: Listed) => albums.map(({ albumName }) => albumName)
const visitor = () => createClient(service.url)

async function listed(query = ''): Promise<string[]> {
  return names((await visitor().get(`/api/albums/list${query}`)).body)
}

/** The address in a `Link` header, without the site's own. */
function nextOf(headers: Headers): string | undefined {
  return /^<([^>]+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1]?.replace(service.url, '')
}

describe('the public list', () => {
  test('shows an album as soon as it has a photo, as it may be seen by anyone', async () => {
    const owner = visitor()
    const { ownerKey, albumName } = await owner.createAlbum('Anna & Bob')
    expect(await listed()).toEqual([])
    await owner.uploadPhotos(ownerKey, await sampleUploads([1]))
    const { body } = await visitor().get('/api/albums/list')
    const { album } = (await owner.get(`/api/albums/by-name/${albumName}`)).body
    expect(body).toEqual([
      { id: album.id, albumName, displayName: 'Anna & Bob', createdAt: expect.any(String) },
    ])
  })

  test('gives an album page by page, each once, the newest first', async () => {
    const { db } = service.database
    await addListedAlbums(db, 'event', 10)
    const seen: string[][] = []
    let next: string | undefined = '/api/albums/list?limit=4'
    while (next) {
      const { body, headers } = await visitor().get(next)
      seen.push(names(body))
      next = nextOf(headers)
      // These change no later page.
      await addListedAlbums(db, `newer${seen.length}`, 1)
      await sql`update albums set created_at = now() where slug like 'newer%'`.execute(db)
    }
    expect(seen.map(({ length }) => length)).toEqual([4, 4, 2])
    const all = await db
      .selectFrom('albums')
      .select('slug')
      .where('slug', 'like', 'event%')
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .execute()
    expect(seen.flat()).toEqual(all.map(({ slug }) => slug))
  })

  test('separates albums that were created in one millisecond', async () => {
    const { db } = service.database
    await addListedAlbums(db, 'event', 3)
    for (const number of [1, 2, 3])
      await sql`update albums set created_at = timestamptz '2025-06-20 12:00:00.00000${sql.raw(String(number))}Z'
        where slug = ${`event-${number}`}`.execute(db)
    const { body, headers } = await visitor().get('/api/albums/list?limit=2')
    expect(names(body)).toEqual(['event-3', 'event-2'])
    expect(await listed(nextOf(headers)!.replace('/api/albums/list', ''))).toEqual(['event-1'])
  })

  test.each(['limit=101', 'limit=0', 'cursor=1.2'])('refuses %s', async (query) => {
    expect((await visitor().get(`/api/albums/list?${query}`)).status).toBe(400)
  })

  test('is read from its index, in a database with many albums', async () => {
    const { db } = service.database
    await addListedAlbums(db, 'event', 5_000)
    await sql`analyze albums`.execute(db)
    const { headers } = await visitor().get('/api/albums/list')
    const cursor = new URL(nextOf(headers)!, service.url).searchParams.get('cursor')!
    for (const after of [undefined, { microseconds: cursor.split('.')[0]!, id: cursor.split('.')[1]! }]) {
      const rows = await listedAlbums(db, { after, limit: 101 }).explain<{ 'QUERY PLAN': string }>(
        'text',
        sql`analyze, costs off`,
      )
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
      expect(plan).toContain('Index Scan Backward using albums_listed')
      expect(plan).not.toMatch(/Seq Scan|Sort|Rows Removed/)
    }
  })
})

test('an album that its owner takes off the list vanishes from it, and still opens by its link; the owner can put it back', async () => {
  const owner = visitor()
  const { ownerKey, albumName } = await owner.createAlbum('Private party')
  await owner.uploadPhotos(ownerKey, [{ name: 'a.jpg', bytes: await readSample(1) }])
  const { album } = (await owner.get(`/api/albums/by-name/${albumName}`)).body
  expect(album.listed).toBe('on')

  const off = await visitor().post(`/api/albums/${ownerKey}/settings`, { listed: 'off' })
  expect(off).toMatchObject({ status: 200, body: { listed: 'off' } })
  expect(await listed()).toEqual([])
  expect((await owner.get(`/api/albums/by-name/${albumName}`)).body.album.listed).toBe('off')
  const guest = visitor()
  const password = album.albumPassword
  expect((await guest.post(`/api/albums/${albumName}/authenticate`, { password })).status).toBe(200)

  // With the session, by the public id.
  await owner.post(`/api/albums/${album.id}/settings`, { listed: 'on' })
  expect(await listed()).toEqual([albumName])
})

describe('a new album', () => {
  test('has a slug of its albumName, in any case, and is shown by its displayName, or else by its albumName', async () => {
    const owner = visitor()
    const create = async (input: object) =>
      (await owner.post('/api/user-albums', { email: 'owner@example.com', ...input })).body.userAlbum
    const shown = { albumName: 'anna-and-bob', displayName: 'Anna & Bob, at last!' }
    expect(await create({ ...shown, albumName: 'anna and bob' })).toMatchObject(shown)
    expect((await owner.get('/api/albums/by-name/Anna-and-BOB')).body.album).toMatchObject(shown)
    expect((await create({ albumName: '🎉 حفلة زفاف' })).displayName).toBe('🎉 حفلة زفاف')
  })

  test('gets a suffix when its name is taken, or equals another path', async () => {
    await visitor().createAlbum('Same name')
    expect((await visitor().createAlbum('Same name')).albumName).toMatch(/^same-name-[a-z0-9]{4}$/)
    expect((await visitor().createAlbum('Progress')).albumName).toMatch(/^progress-/)
  })
})

describe('a batch of tRPC calls', () => {
  const batch = (calls: number) => {
    const input = Object.fromEntries(Array.from({ length: calls }, (_, index) => [index, {}]))
    const path = `/trpc/${Array(calls).fill('albums.listPage').join(',')}`
    return visitor().get(`${path}?batch=1&input=${encodeURIComponent(JSON.stringify(input))}`)
  }

  test('has at most ten calls', async () => {
    expect((await batch(10)).body).toHaveLength(10)
    expect((await batch(11)).status).toBe(400)
  })

  test('counts as its parts towards a limit', async () => {
    const { albumName } = await visitor().createAlbum('Guess')
    const path = `/trpc/${Array(10).fill('albums.authenticate').join(',')}?batch=1`
    const input = Object.fromEntries(
      Array.from({ length: 10 }, (_, index) => [index, { albumName, password: `guess ${index}` }]),
    )
    await service.database.db.deleteFrom('rate_limits').execute()
    await visitor().post(path, input)
    const counts = await service.database.db.selectFrom('rate_limits').select('count').execute()
    expect(Math.max(...counts.map(({ count }) => count))).toBe(10)
  })
})
