import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { albumWith, appOfFile, guestOf } from '../testing/app-of-file.ts'
import { createClient, readSample, sampleUploads, type TestClient } from '../testing/client.ts'
import { insertIndexedPhotos } from '../testing/indexed-photos.ts'
import { insertMatchedSubmission } from '../testing/matched-submission.ts'
import { waitUntil } from '../testing/wait.ts'

const service = await appOfFile()
const owner = createClient(service.url)
const selfie = await readSample(1)
/** An album with samples 1 and 2, and another with sample 1. */
const wedding = await albumWith(owner, await sampleUploads([1, 2]), 'Wedding')
const brunch = await albumWith(owner, await sampleUploads([1]), 'Brunch')
afterEach(async () => {
  expect(service.logged).toEqual([])
  await service.database.db.deleteFrom('submissions').execute()
})

/** Submits the selfie and waits for its results. @returns the id of the submission */
async function submit(client: TestClient, fields: Record<string, string> = {}): Promise<string> {
  const { status, body } = await client.submitSelfie(selfie, { source: 'homepage', ...fields })
  expect({ status, body }).toEqual({ status: 200, body: { redirectTo: expect.any(String) } })
  const [, id] = body.redirectTo.match(/^\/selfie\/results\/([0-9a-f-]{36})$/)
  await waitUntil('the results', async () => (await client.get(`/api/results/${id}`)).body.processed)
  return id
}

async function statusOf(url: string): Promise<number> {
  const response = await fetch(url)
  await response.body?.cancel()
  return response.status
}

const filenames = (photos: { filename: string }[]) => photos.map((photo) => photo.filename)
const submissions = () => service.database.db.selectFrom('submissions').selectAll().execute()

async function storedSelfies(): Promise<string[]> {
  const files = await readdir(join(service.dataDir, 'files'), { recursive: true })
  return files.filter((name) => /selfies\/|\.partial\//.test(name))
}

test('a selfie for a saved album finds its photo, and the selfie is deleted', async () => {
  const anyone = createClient(service.url)
  const before = await service.database.db.selectFrom('faces').selectAll().execute()
  const id = await submit(anyone, { userAlbumId: wedding.ownerKey })
  const { status, headers, body } = await anyone.get(`/api/results/${id}`)
  expect(status).toBe(200)
  expect(headers.get('cache-control')).toBe('no-store')
  expect(body.totalMatches).toBe(body.photos.length)
  expect(body.photos[0].filename).toBe('sample1.jpg')
  const fields = 'downloadUrl filename height placeholder previewUrl thumbUrl url width'
  expect(Object.keys(body.photos[0]).sort().join(' ')).toBe(fields)
  expect((await anyone.get(`/api/photos/${id}`)).body).toEqual({ photos: body.photos })

  expect(await statusOf(body.photos[0].url)).toBe(200)
  expect(await submissions()).toMatchObject([{ id, outcome: 'matched' }])
  expect(await storedSelfies()).toEqual([])
  const after = await service.database.db.selectFrom('faces').selectAll().execute()
  expect(after).toHaveLength(before.length)
  const payloads = await service.context.jobs.boss.findJobs('match-selfie')
  expect(payloads.at(-1)!.data).toEqual({ submissionId: id })
})

test('a selfie for the albums of a session finds the guest in each of them', async () => {
  const guest = createClient(service.url)
  await guestOf(service, owner, wedding.albumName, guest)
  expect(filenames((await guest.get(`/api/results/${await submit(guest)}`)).body.photos)).toEqual([
    'sample1.jpg',
  ])
  await guestOf(service, owner, brunch.albumName, guest)
  const { body } = await guest.get(`/api/results/${await submit(guest, { userAlbumId: '' })}`)
  expect(body.totalMatches).toBe(2)
  expect(filenames(body.photos)).toEqual(['sample1.jpg', 'sample1.jpg'])
  const urls = body.photos.map((photo: { url: string }) => photo.url)
  expect(new Set(urls).size).toBe(2)
  for (const url of urls) expect(await statusOf(url)).toBe(200)
})

describe('results', () => {
  /** A processed submission of the wedding's owner with `count` matches; the last photo is the best match. */
  async function withMatches(count: number): Promise<string> {
    const { db } = service.database
    const { album } = (await owner.get(`/api/albums/by-name/${wedding.albumName}`)).body
    const photos = await insertIndexedPhotos(db, album.id, count)
    const matches = photos.map((photoId, index) => ({ photoId, similarity: 60 + index }))
    return await insertMatchedSubmission(db, { albumId: album.id }, matches)
  }

  test('contain up to 20 photos; more are a separate list; the best come first', async () => {
    const twenty = await withMatches(20)
    const { body } = await owner.get(`/api/results/${twenty}`)
    expect(body).toMatchObject({ processed: true, totalMatches: 20 })
    expect(filenames(body.photos)).toEqual(Array.from({ length: 20 }, (_, index) => `${20 - index}.jpg`))

    const more = await withMatches(21)
    expect((await owner.get(`/api/results/${more}`)).body).toEqual({
      processed: true,
      totalMatches: 21,
      possible: [],
    })
    const all = await owner.get(`/api/photos/${more}`)
    expect(filenames(all.body.photos)).toEqual(Array.from({ length: 21 }, (_, index) => `${21 - index}.jpg`))
    expect(all.body.photos[0].url.startsWith(`${service.url}/photos/`)).toBe(true)
  })

  test('come in pages when a client asks for pages, also where photos are equally similar', async () => {
    const { db } = service.database
    const id = await withMatches(7)
    await db
      .updateTable('submission_matches')
      .set({ similarity: 88.4 })
      .where('similarity', '<', 65)
      .execute()
    const all = (await owner.get(`/api/photos/${id}`)).body.photos
    const pages: string[][] = []
    for (let cursor: string | undefined = ''; cursor !== undefined; ) {
      const { body } = await owner.get(`/api/photos/${id}?limit=3&cursor=${cursor}`)
      pages.push(filenames(body.photos))
      cursor = body.nextCursor
    }
    expect(pages.map((page) => page.length)).toEqual([3, 3, 1])
    expect(pages.flat()).toEqual(filenames(all))
    const whole = (await owner.get(`/api/photos/${id}?limit=7`)).body
    expect(whole).toEqual({ photos: all })
  })
})
