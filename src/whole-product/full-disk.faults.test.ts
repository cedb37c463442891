import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { appendFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { withConnection } from '../database/client.ts'
import { findEmbeddedPostgres } from '../database/embedded/embedded-postgres.ts'
import { processesOn } from '../database/embedded/leftovers.ts'
import { freeBytes } from '../storage/free-disk.ts'
import { killAll } from '../testing/child-processes.ts'
import { type Answer, createClient, readSample, type TestClient, type Upload } from '../testing/client.ts'
import { freePort, MAIN, type ServiceProcess, startService } from '../testing/process.ts'
import { mountSmallDisk, type SmallDisk } from '../testing/small-disk.ts'
import { waitUntil } from '../testing/wait.ts'

const run = promisify(execFile)
const DISK_MB = 450
const MINIMUM_MB = 80
const MINIMUM = MINIMUM_MB * 1e6
const TINY = 4
const REFUSED = /^The disk of this service is almost full/

let disk: SmallDisk | undefined
let service: ServiceProcess
let port: number
let caller = 1
beforeAll(async () => {
  disk = await mountSmallDisk(DISK_MB)
  if (!disk) return
  port = await freePort()
  await start()
})

async function start(): Promise<void> {
  service = await startService(
    {
      DATA_DIR: disk!.path,
      PORT: String(port),
      FACE_WORKERS: '1',
      DISK_FREE_MIN_MB: String(MINIMUM_MB),
    },
    [process.execPath, '--inspect-port=0', MAIN],
  )
}
afterAll(async () => {
  service?.child.kill('SIGTERM')
  await service?.ended
  await disk?.remove()
})

const stranger = (): TestClient =>
  createClient(service.url, '', { 'x-forwarded-for': `198.18.0.${caller++}` })

/** Bytes of all files but those of Postgres, and of what this test has filled the disk with. */
async function bytesOfInframe(): Promise<number> {
  const folders = ['files', 'staging', 'outbox'].map((name) => join(disk!.path, name))
  const sizes = await run('find', [...folders, '-ignore_readdir_race', '-type', 'f', '-printf', '%s\n'])
  return sizes.stdout.split('\n').reduce((sum, size) => sum + Number(size), 0)
}

/** A PNG of few bytes with five million pixels of noise, whose rows repeat. Each is another. */
async function tinyPng(): Promise<Upload> {
  const [width, height] = [2600, 2000]
  const rows = Buffer.alloc(width * 3 * height, randomBytes(60))
  const picture = sharp(rows, { raw: { width, height, channels: 3 } })
  return { name: 'tiny.png', bytes: await picture.png({ adaptiveFiltering: true }).toBuffer() }
}

/** A PNG of nearly 5 MB. */
async function largePng(): Promise<Upload> {
  const side = 1280
  const picture = sharp(randomBytes(side * side * 3), { raw: { width: side, height: side, channels: 3 } })
  return { name: 'large.png', bytes: await picture.png({ compressionLevel: 0 }).toBuffer() }
}

const several = <T>(count: number, make: () => Promise<T>) => Promise.all(Array.from({ length: count }, make))
const path = (address: string) => address.slice(service.url.length)

function expectRefused({ status, body, headers }: Answer): void {
  expect([status, body.message]).toEqual([503, expect.stringMatching(REFUSED)])
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
}

test('a disk that strangers have filled keeps its minimum, and a full one is started on, and an album is erased there', async (context) => {
  if (!disk) return context.skip('this account may not mount a small disk')
  const owner = stranger()
  const { ownerKey, albumName } = await owner.createAlbum('Full')
  await owner.post(`/api/albums/${ownerKey}/settings`, { browsing: 'on' })
  const photos = [{ name: 'people.jpg', bytes: await readSample(1) }, ...(await several(TINY, tinyPng))]
  const { body } = await owner.uploadPhotos(ownerKey, photos, { totalIntendedPhotos: photos.length })
  expect(body).toMatchObject({ successful: photos.length })
  await waitUntil('the photos to be indexed', async () => {
    const progress = await owner.get(`/api/albums/${ownerKey}/progress`)
    return progress.body.isCompleted
  })
  const browsed = (await owner.get(`/api/albums/${albumName}/photos?limit=100`)).body.photos
  const tiny = browsed.filter(({ filename }: { filename: string }) => filename.startsWith('tiny'))
  expect(tiny).toHaveLength(TINY)

  await fillByUploads(owner, ownerKey)
  // No answer of the disk is older than a second, and what is under way is small.
  expect(await freeBytes(disk.path)).toBeGreaterThan(MINIMUM - 30e6)

  const some = join(disk.path, 'some')
  await waitUntil('the service to see it', async () => {
    // Refused uploads may still be leaving the disk.
    const above = (await freeBytes(disk!.path)) - MINIMUM + 5e6
    if (above > 0) await appendFile(some, Buffer.alloc(above))
    return (await createAlbum(stranger())).status === 503
  })
  const before = await bytesOfInframe()
  await expectNothingNew(owner, { ownerKey, albumName, tiny, people: browsed })
  expect(await bytesOfInframe()).toBeLessThanOrEqual(before)
  await rm(some)

  await writeLog(4)
  const empty = await disk.fill(1e6)
  await writeLog(2)
  killAll([service.child.pid!, ...(await processesOn(join(disk.path, 'postgres/cluster')))])
  await service.ended
  await start()
  expect((await stranger().get('/readyz')).status).toBe(200)
  expect((await owner.delete(`/api/albums/${ownerKey}`)).status).toBe(200)
  await waitUntil('the space', async () => (await freeBytes(disk!.path)) > MINIMUM)
  await waitUntil('the files to be gone', async () => (await bytesOfInframe()) < before / 10)
  await empty()
  await waitUntil('the service to see it', async () => (await createAlbum(stranger())).status === 200)
}, 300_000)

const createAlbum = (client: TestClient) =>
  client.post('/api/user-albums', { email: 'owner@example.com', albumName: 'Party' })

/** Lets Postgres begin new files of its log, and then keep the used ones to write them again. */
async function writeLog(files: number): Promise<void> {
  const address = await findEmbeddedPostgres(disk!.path)
  await withConnection(address!, async (client) => {
    for (let file = 0; file < files; file++)
      await client.query('select pg_switch_wal(), pg_logical_emit_message(false, $1, $1)', ['x'])
    await client.query('checkpoint')
  })
}

/** Uploads from several sides until nothing more is taken. */
async function fillByUploads(owner: TestClient, ownerKey: string): Promise<void> {
  const answers: Answer[] = []
  const upload = async () => {
    for (;;) {
      const answer = await owner.uploadPhotos(ownerKey, await several(8, largePng))
      if (answer.status !== 200) return answers.push(answer)
    }
  }
  await Promise.all([upload(), upload(), upload()])
  for (const answer of answers) expectRefused(answer)
}

interface Filled {
  ownerKey: string
  albumName: string
  tiny: { url: string; previewUrl: string; downloadUrl: string }[]
  people: { thumbUrl: string }[]
}

/** Tries every way to make Inframe write a file, or a stranger's row. What is there is still shown. */
async function expectNothingNew(owner: TestClient, { ownerKey, albumName, tiny, people }: Filled) {
  const selfie = await readSample(1)
  const refused = await Promise.all([
    ...tiny.map(({ url }) => owner.get(path(url))),
    owner.post('/api/zips', { photos: tiny.map(({ downloadUrl }) => downloadUrl) }),
    owner.submitSelfie(selfie, { userAlbumId: ownerKey }),
    owner.uploadPhotos(ownerKey, [{ name: 'more.jpg', bytes: await readSample(2) }]),
    createAlbum(stranger()),
  ])
  for (const answer of refused) expectRefused(answer)
  const thumbnails = await Promise.all(people.map(({ thumbUrl }) => owner.get(path(thumbUrl))))
  expect(thumbnails.map(({ status }) => status)).toEqual(people.map(() => 200))
  const found = await owner.search(albumName, selfie)
  expect([found.status, found.body.photos?.length]).toEqual([200, 1])
}
