import { randomUUID } from 'node:crypto'
import sharp from 'sharp'
import { expect } from 'vitest'
import { type Answer, createClient, sampleUploads, type TestClient } from './client.ts'
import { samplePath } from './sample-photos.ts'
import { waitUntil } from './wait.ts'

/** The number of faces in the six sample photos, and a person in the first one, in pixels. */
const FACES = 22
const PERSON_IN_SAMPLE_1 = { left: 340, top: 270, width: 330, height: 400 }
/** Long enough to start processes again on a busy machine. */
const TIMEOUT_MS = 120_000

/** Where the story takes place. */
export interface StoryOptions {
  /** The service, without a slash at its end. */
  url: string
  /** The source of every letter that was sent to this address, in any order. */
  lettersTo(address: string): Promise<string[]>
  /** Further checks or faults at certain moments. */
  when?: {
    /** The first of three batches has been answered, and the second is being sent. */
    uploading?(album: StoryAlbum): Promise<void>
    /** All batches have been answered, and not all photos have been indexed. */
    indexing?(album: StoryAlbum): Promise<void>
    /** Everything is indexed, and the letter has arrived. */
    complete?(album: StoryAlbum): Promise<void>
    /** The owner has erased the album. */
    erased?(album: StoryAlbum): Promise<void>
  }
}

export interface StoryAlbum {
  /** The public id. */
  id: string
  ownerKey: string
  albumName: string
  password: string
  email: string
}

/** Does everything that an owner and a guest do, over REST: create an album, upload photos, get the letter, search
 *  with a selfie, open the photos, submit a selfie, and erase the album until nothing remains. It checks each answer.
 *  A call that is cut off or answered 502 or 503 is repeated, as people do; no call may fail in any other way. */
export async function runStory({ url, lettersTo, when = {} }: StoryOptions): Promise<void> {
  const owner = createClient(url)
  const album = await createAlbum(owner)
  await upload(owner, album, when)
  await waitUntil('completion', () => isIndexed(owner, album), TIMEOUT_MS)
  await expectOneLetter(url, album, lettersTo)
  await when.complete?.(album)

  const selfie = await sharp(samplePath(1)).extract(PERSON_IN_SAMPLE_1).jpeg().toBuffer()
  const guest = await enter(url, album)
  const photo = await searchAndOpen(guest, album, selfie)
  await submitSelfie(guest, selfie)
  expect(await lettersTo(album.email)).toHaveLength(1)
  await erase(owner, guest, album, photo)
  await when.erased?.(album)
  // Erasing takes the letter out of the outbox. A mail server keeps it.
  expect((await lettersTo(album.email)).length).toBeLessThanOrEqual(1)
}

async function createAlbum(owner: TestClient): Promise<StoryAlbum> {
  const email = `owner-${randomUUID()}@example.com`
  const input = { email, albumName: 'Story of a summer', displayName: 'Story of a summer' }
  const created = await untilAnswered(() => owner.post('/api/user-albums', input))
  expect(created).toMatchObject({ status: 200, body: { userAlbum: { displayName: 'Story of a summer' } } })
  const { id: ownerKey, albumName } = created.body.userAlbum
  const { body } = await untilAnswered(() => owner.get(`/api/albums/by-name/${albumName}`))
  return { id: body.album.id, ownerKey, albumName, password: body.album.albumPassword, email }
}

async function upload(
  owner: TestClient,
  album: StoryAlbum,
  when: NonNullable<StoryOptions['when']>,
): Promise<void> {
  const photos = await sampleUploads()
  const send = async (batch: number) => {
    const files = photos.slice(2 * batch - 2, 2 * batch)
    const fields = { totalIntendedPhotos: photos.length, batchNumber: batch, totalBatches: 3 }
    const answer = await untilAnswered(() => owner.uploadPhotos(album.ownerKey, files, fields))
    expect(answer).toMatchObject({ status: 200, body: { successful: 2, failed: 0 } })
  }
  await send(1)
  await Promise.all([send(2), when.uploading?.(album)])
  await send(3)
  await when.indexing?.(album)
}

async function isIndexed(owner: TestClient, { ownerKey }: StoryAlbum): Promise<boolean> {
  const { status, body } = await untilAnswered(() => owner.get(`/api/albums/${ownerKey}/progress`))
  expect(status).toBe(200)
  if (!body.isCompleted) return false
  expect(body).toEqual({
    totalPhotos: 6,
    photosUploadedToS3: 6,
    photosIndexedToRekognition: 6,
    isUploadingToS3: false,
    isIndexingToRekognition: false,
    isCompleted: true,
    photosPerMinute: null,
    secondsLeft: null,
  })
  return true
}

async function expectOneLetter(
  url: string,
  album: StoryAlbum,
  lettersTo: StoryOptions['lettersTo'],
): Promise<void> {
  const [letter, ...others] = await waitUntil(
    'the letter',
    async () => {
      const letters = await lettersTo(album.email)
      return letters.length > 0 && letters
    },
    TIMEOUT_MS,
  )
  expect(others).toEqual([])
  const words = decode(letter!)
  expect(words).toContain(`${url}/album/${album.albumName}`)
  expect(words).toContain(album.password)
  expect(words).toMatch(/^Photos: 6$/m)
  expect(words).toMatch(new RegExp(`^Faces found: ${FACES}$`, 'm'))
}

/** The text of a letter. Quoted-printable would split long addresses. */
function decode(letter: string): string {
  const lines = letter.replaceAll('\r\n', '\n')
  if (!/^Content-Transfer-Encoding: quoted-printable$/im.test(lines)) return lines
  return lines
    .replaceAll('=\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
}

async function enter(url: string, { albumName, password }: StoryAlbum): Promise<TestClient> {
  const guest = createClient(url)
  const status = () => untilAnswered(() => guest.get(`/api/albums/auth-status/${albumName}`))
  const authenticate = (tried: string) =>
    untilAnswered(() => guest.post(`/api/albums/${albumName}/authenticate`, { password: tried }))
  expect((await status()).body).toMatchObject({ albumExists: true, isAuthenticated: false })
  expect(await untilAnswered(() => guest.get(`/api/albums/by-name/${albumName}`))).toMatchObject({
    status: 401,
  })
  expect(await authenticate('a wrong one')).toMatchObject({
    status: 401,
    body: { error: 'Invalid password' },
  })
  expect(await authenticate(password)).toMatchObject({ status: 200, body: { album: { albumName } } })
  expect((await status()).body).toMatchObject({ isAuthenticated: true })
  return guest
}

/** Searches with the selfie and opens what it finds. @returns the address of a photo. */
async function searchAndOpen(guest: TestClient, { albumName }: StoryAlbum, selfie: Buffer): Promise<string> {
  const { status, body } = await untilAnswered(() => guest.search(albumName, selfie))
  expect(status).toBe(200)
  expect(body.photos.map(({ filename }: { filename: string }) => filename)).toEqual(['sample1.jpg'])
  const [photo] = body.photos
  expect(body.matchedPhotos).toEqual([photo.url])
  const full = await fetchWhole(photo.url)
  expect(await sharp(full.bytes).metadata()).toMatchObject({ format: 'jpeg', width: 1920, height: 1280 })
  const thumb = await fetchWhole(photo.thumbUrl)
  expect((await sharp(thumb.bytes).metadata()).width).toBeLessThan(1000)
  await expectDownload(photo.downloadUrl)
  return photo.url
}

async function expectDownload(url: string): Promise<void> {
  const { bytes, headers } = await fetchWhole(url)
  expect(headers.get('content-disposition')).toMatch(/^attachment; filename="?sample1\.jpg"?/)
  expect((await sharp(bytes).metadata()).width).toBe(1920)
}

async function fetchWhole(url: string): Promise<{ headers: Headers; bytes: Buffer }> {
  const response = await fetch(url)
  const bytes = Buffer.from(await response.arrayBuffer())
  expect({ url, status: response.status }).toEqual({ url, status: 200 })
  return { headers: response.headers, bytes }
}

/** Uses the results page: submits a selfie, waits until a job has matched it, reads the results and deletes them. */
async function submitSelfie(guest: TestClient, selfie: Buffer): Promise<void> {
  const submitted = await untilAnswered(() => guest.submitSelfie(selfie, { source: 'homepage' }))
  expect(submitted).toMatchObject({ status: 200, body: { redirectTo: expect.any(String) } })
  const [, id] = submitted.body.redirectTo.match(/^\/selfie\/results\/(.+)$/)
  const results = () => untilAnswered(() => guest.get(`/api/results/${id}`))
  const { body } = await waitUntil(
    'the results',
    async () => {
      const answer = await results()
      return answer.body.processed && answer
    },
    TIMEOUT_MS,
  )
  expect(body).toMatchObject({ totalMatches: 1, photos: [{ filename: 'sample1.jpg' }] })
  expect((await untilAnswered(() => guest.get(`/api/photos/${id}`))).body.photos).toHaveLength(1)
  await expectDownload(body.photos[0].downloadUrl)
  expect((await untilAnswered(() => guest.delete(`/api/submissions/${id}`))).body).toEqual({ deleted: true })
  expect((await results()).status).toBe(404)
}

async function erase(owner: TestClient, guest: TestClient, album: StoryAlbum, photo: string): Promise<void> {
  const { status, body } = await untilAnswered(() => owner.delete(`/api/albums/${album.ownerKey}`))
  expect({ status, body }).toEqual({
    status: 200,
    body: { rowsRemaining: 0, filesRemaining: 0, facesRemaining: 0 },
  })
  expect((await untilAnswered(() => owner.get(`/api/albums/${album.ownerKey}/progress`))).status).toBe(404)
  const { body: access } = await untilAnswered(() => guest.get(`/api/albums/auth-status/${album.albumName}`))
  expect(access.albumExists).toBe(false)
  const { body: list } = await untilAnswered(() => guest.get('/api/albums/list'))
  expect(list.map(({ id }: { id: string }) => id)).not.toContain(album.id)
  const gone = await fetch(photo)
  await gone.body?.cancel()
  expect([403, 404]).toContain(gone.status)
}

/** Repeats a call while it is cut off or answered 502 or 503. */
async function untilAnswered(call: () => Promise<Answer>): Promise<Answer> {
  return await waitUntil(
    'an answer',
    async () => {
      const answer = await call().catch((error) => {
        // fetch throws a TypeError when there is no answer, or only a part of one.
        if (error instanceof TypeError) return undefined
        throw error
      })
      return answer && ![502, 503].includes(answer.status) && answer
    },
    TIMEOUT_MS,
  )
}
