import type { FastifyInstance } from 'fastify'
import type { KyselyPlugin } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { LONG_READS, POLLED_READS } from '../api/polled-reads.ts'
import { foundPage } from '../search/found-pages.ts'
import { showInList } from '../testing/album-rows.ts'
import { startTestApp, type TestApp } from '../testing/app.ts'
import { createClient } from '../testing/client.ts'
import { buildApp } from './app.ts'

let service: TestApp
/** The service, called without a network. Its queries are counted. */
let app: FastifyInstance
let queries = 0
let queriesOfEndedSessions = 0
const idsOfEndedSessions = new WeakSet<object>()
const counting: KyselyPlugin = {
  // A query that is compiled once keeps its id.
  transformQuery({ node, queryId }) {
    if (JSON.stringify(node).includes('"ended_sessions"')) idsOfEndedSessions.add(queryId)
    return node
  },
  async transformResult({ result, queryId }) {
    queries++
    if (idsOfEndedSessions.has(queryId)) queriesOfEndedSessions++
    return result
  },
}

let album: { albumName: string; id: string; cookie: string }
let submission: string
let page: string

beforeAll(async () => {
  service = await startTestApp({ work: false })
  const { db } = service.context.services
  app = await buildApp({ ...service.context.services, db: db.withPlugin(counting) })
  await app.ready()
  album = await newAlbum()
  await showInList(db, [album.albumName])
  const row = await db.insertInto('submissions').defaultValues().returning('id').executeTakeFirstOrThrow()
  submission = row.id
  page = foundPage(service.context.services.keyring, album.id, [])
})
afterAll(async () => {
  await app?.close()
  await service?.close()
})
beforeEach(() => {
  queries = 0
  queriesOfEndedSessions = 0
})

async function newAlbum(): Promise<typeof album> {
  const owner = createClient(service.url)
  const { albumName } = await owner.createAlbum()
  const { body } = await owner.get(`/api/albums/by-name/${albumName}`)
  return { albumName, id: body.album.id, cookie: owner.cookie() }
}

const get = (url: string, cookie = '') => app.inject({ url, headers: cookie ? { cookie } : {} })
const trpc = (name: string, input: unknown) =>
  `/trpc/${name}?input=${encodeURIComponent(JSON.stringify(input))}`
/** Several calls in one request are answered by tRPC, which also checks the output. */
const batched = (name: string, input: unknown) => trpc(name, { 0: input }).replace('?', '?batch=1&')

/** A request for each read: its REST path and its input. */
const requests = (): Record<string, [path: string, input: unknown]> => ({
  'albums.progress': [`/albums/${album.id}/progress`, { id: album.id }],
  'albums.authStatus': [`/albums/auth-status/${album.albumName}`, { albumName: album.albumName }],
  'albums.list': ['/albums/list?limit=1', { limit: 1 }],
  'submissions.results': [`/results/${submission}`, { id: submission }],
  'albums.foundPhotos': [
    `/albums/${album.albumName}/found-photos?page=${page}`,
    { albumName: album.albumName, page },
  ],
  'albums.browse': [`/albums/${album.albumName}/photos?limit=1`, { albumName: album.albumName, limit: 1 }],
  'submissions.photos': [`/photos/${submission}?limit=1`, { id: submission, limit: 1 }],
})

const namesOf = (reads: typeof POLLED_READS) => reads.map(({ name }) => name)

describe.each(namesOf([...POLLED_READS, ...LONG_READS]))('the read %s', (name) => {
  test('answers what its procedure answers', async () => {
    const [path, input] = requests()[name]!
    const [{ result }] = (await get(batched(name, input), album.cookie)).json()
    const [rest, own] = [await get(`/api${path}`, album.cookie), await get(trpc(name, input), album.cookie)]
    expect(rest.json()).toEqual(result.data)
    expect(own.json()).toEqual({ result })
    for (const { headers } of [rest, own])
      expect(headers['content-type']).toBe('application/json; charset=utf-8')
  })

  test('fails as its procedure fails', async () => {
    for (const input of [{ id: 'x', albumName: 7, limit: 0 }, { id: 7, limit: 'x', albumName: {} }, 7]) {
      const [expected, { statusCode, body }] = [await get(batched(name, input)), await get(trpc(name, input))]
      expect({ statusCode, body: JSON.parse(body) }).toEqual({
        statusCode: expected.statusCode,
        body: expected.json()[0],
      })
      expect(statusCode).toBeGreaterThanOrEqual(400)
    }
  })
})

describe.each(namesOf(POLLED_READS))('the polled read %s', (name) => {
  test('shares one query with equal ones at the same moment', async () => {
    const [path, input] = requests()[name]!
    const cookie = name === 'albums.progress' ? album.cookie : ''
    // From now on this address knows the album's name.
    await get(`/api${path}`, cookie)
    const alone = queries
    await get(`/api${path}`, cookie)
    const needed = queries - alone
    const urls = Array.from({ length: 10 }, () => [`/api${path}`, trpc(name, input)]).flat()
    const answers = await Promise.all(urls.map((url) => get(url, cookie)))
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(urls.map(() => 200))
    expect(queries - alone).toBe(2 * needed)
  })
})

describe('sessions that ask at the same moment', () => {
  const statusOf = async ({ albumName, cookie }: typeof album) =>
    (await get(`/api/albums/auth-status/${albumName}`, cookie)).json().isAuthenticated

  test('are all looked up in one query, and each has its own rights', async () => {
    const [first, second, left] = [await newAlbum(), await newAlbum(), await newAlbum()]
    expect((await createClient(service.url, left.cookie).post('/api/log-out', {})).status).toBe(200)
    const stranger = { ...first, cookie: second.cookie }
    for (const { albumName } of [first, left]) await statusOf({ ...first, albumName, cookie: '' })
    queriesOfEndedSessions = 0
    const asked = [first, second, left, stranger].map(statusOf)
    expect(await Promise.all(asked)).toEqual([true, true, false, false])
    expect(queriesOfEndedSessions).toBe(1)
  })

  test('are not looked up for an answer that is the same for everybody', async () => {
    for (const url of ['/api/albums/list', `/api/results/${submission}`]) {
      queries = 0
      expect((await get(url, album.cookie)).statusCode).toBe(200)
      expect(queries).toBe(1)
    }
  })
})

test('a poll after a change sees it', async () => {
  const stored = async () =>
    (await get(`/api/albums/${album.id}/progress`, album.cookie)).json().photosUploadedToS3
  const former = stored()
  await service.context.services.db.updateTable('albums').set({ photos_stored: 7 }).execute()
  expect(await stored()).toBe(7)
  await former
})
