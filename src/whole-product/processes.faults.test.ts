import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDb, type Db } from '../database/client.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../database/embedded/embedded-postgres.ts'
import { createLog } from '../log.ts'
import { type Answer, createClient, readSample, sampleUploads } from '../testing/client.ts'
import { createDataFolder, type DataFolder } from '../testing/data-folder.ts'
import { databaseUrl } from '../testing/database.ts'
import { type Fleet, startFleet } from '../testing/fleet.ts'
import { waitUntil } from '../testing/wait.ts'

let postgresFolder: DataFolder
let postgres: EmbeddedPostgres
let db: Db
/** A folder that all processes share, like a network disk. */
let dataDir: string
let fleet: Fleet
const ADMIN_TOKEN = 'a token for the maintainer'

const startPostgres = () =>
  startEmbeddedPostgres({ dataDir: postgresFolder.path, log: createLog('silent'), durable: false })

beforeAll(async () => {
  postgresFolder = await createDataFolder()
  dataDir = await mkdtemp(join(tmpdir(), 'inframe-fleet-'))
  postgres = await startPostgres()
  db = createDb(postgres.address, () => {
    // Postgres is restarted on purpose.
  })
  fleet = await startFleet(
    {
      DATABASE_URL: databaseUrl(postgres.address),
      SECRET_KEY: 'a secret for tests that is as long as a real one',
      DATA_DIR: dataDir,
      FACE_WORKERS: '1',
      ADMIN_TOKEN,
      // Longer than the balancer needs to notice a stopping process, even on a busy machine.
      DRAIN_DELAY_MS: '2000',
    },
    { webs: 2, workers: 3 },
  )
}, 180_000)
afterAll(async () => {
  await fleet?.close()
  await db?.destroy()
  await postgres?.stop()
  await postgresFolder?.remove()
  await rm(dataDir, { recursive: true })
})

const maintainerAt = (url: string) => createClient(url, '', { authorization: `Bearer ${ADMIN_TOKEN}` })

async function lettersTo(address: string): Promise<string[]> {
  const outbox = join(dataDir, 'outbox')
  const names = (await readdir(outbox)).filter((name) => name.endsWith('.eml'))
  const letters = await Promise.all(names.map((name) => readFile(join(outbox, name), 'utf8')))
  return letters.filter((letter) => letter.includes(`To: ${address}`))
}

/** Waits for the one letter about an album, and looks at what is stored of it. */
async function expectEachOnce({ id, email }: { id: string; email: string }): Promise<void> {
  await waitUntil('the letter', async () => (await lettersTo(email)).length > 0, 120_000)
  expect(await lettersTo(email)).toHaveLength(1)
  const photos = await db.selectFrom('photos').selectAll().where('album_id', '=', id).execute()
  expect(photos.map(({ state }) => state)).toEqual(Array(6).fill('indexed'))
  expect(await db.selectFrom('faces').selectAll().where('album_id', '=', id).execute()).toHaveLength(22)
  const files = await readdir(join(dataDir, 'files', 'albums', id), { recursive: true })
  expect(files.filter((name) => name.endsWith('/original'))).toHaveLength(6)
}

/** Starts common calls. Each is repeated as soon as it is answered, until `stop`. */
function startLoad(ownerKey: string, albumName: string, photo: Buffer) {
  const counts = { calls: 0, uploads: 0 }
  const failures: unknown[] = []
  let isOver = false
  const repeat = async (call: () => Promise<Answer>, count: keyof typeof counts) => {
    while (!isOver) {
      const { status, body } = await call().catch((error) => ({
        status: 0,
        body: String(error.cause ?? error),
      }))
      if (status === 200) counts[count]++
      else failures.push({ status, body })
    }
  }
  const client = createClient(fleet.url)
  const running = Promise.all([
    repeat(() => client.get(`/api/albums/auth-status/${albumName}`), 'calls'),
    repeat(() => client.get(`/api/albums/${ownerKey}/progress`), 'calls'),
    repeat(() => createClient(fleet.url).get('/api/albums/list'), 'calls'),
    // The same photo each time: it is received and hashed completely, but the workers have nothing to index.
    repeat(() => client.uploadPhotos(ownerKey, [{ name: 'a.jpg', bytes: photo }]), 'uploads'),
  ])
  return {
    counts,
    failures,
    async stop() {
      isOver = true
      await running
    },
  }
}

/** Begins to send a batch. @returns a function that sends its last bytes and returns the answer */
async function beginUpload(url: string, ownerKey: string, photo: Buffer) {
  const boundary = 'the-boundary'
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="photos"; filename="slow.jpg"\r\n\r\n`
  const call = request(`${url}/api/albums/${ownerKey}/upload-photos`, {
    method: 'POST',
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
  })
  const answered = once(call, 'response')
  // A failure is reported to the caller, who awaits it later.
  answered.catch(() => undefined)
  call.write(head)
  await new Promise((sent) => call.write(photo, sent))
  return async () => {
    call.end(`\r\n--${boundary}--\r\n`)
    const [response] = await answered
    return {
      status: response.statusCode,
      connection: response.headers.connection,
      body: await text(response),
    }
  }
}

describe('a rolling restart of the web processes', () => {
  test('fails no request under load, even an upload that ends after the server has stopped listening', async () => {
    const owner = createClient(fleet.url)
    const { ownerKey, albumName } = await owner.createAlbum('Rolling')
    const photo = await readSample(1)
    const load = startLoad(ownerKey, albumName, photo)
    for (const web of fleet.webs) {
      const before = { ...load.counts }
      const finishUpload = await beginUpload(web.url, ownerKey, await readSample(2))
      const stopping = web.stop()
      await waitUntil('the web process to say that it is stopping', async () => {
        const { status, body } = await maintainerAt(web.url).get('/readyz')
        return status === 503 && body.stopping
      })
      await waitUntil('the web process to stop listening', () =>
        fetch(`${web.url}/readyz`).then(
          () => false,
          () => true,
        ),
      )
      const { status, connection, body } = await finishUpload()
      expect({ status, connection, ...JSON.parse(body) }).toMatchObject({
        status: 200,
        connection: 'close',
        successful: 1,
      })
      expect(await stopping).toBe(0)
      await web.start()
      await waitUntil('both web processes to be in use', async () => {
        const { calls, uploads } = load.counts
        return (
          fleet.balancer.ready().length === 2 && calls > before.calls + 50 && uploads > before.uploads + 5
        )
      })
    }
    await load.stop()
    expect(load.failures).toEqual([])
  }, 300_000)
})

async function newAlbum(albumName: string) {
  const owner = createClient(fleet.url)
  const email = `${albumName.toLowerCase()}@example.com`
  const created = await owner.post('/api/user-albums', { email, albumName, displayName: albumName })
  const { id: ownerKey, albumName: slug } = created.body.userAlbum
  const { album } = (await owner.get(`/api/albums/by-name/${slug}`)).body
  return { owner, ownerKey, id: album.id, email }
}

test('a web and a worker process that are killed lose nothing, and nothing is done twice', async () => {
  const { owner, ownerKey, ...album } = await newAlbum('Killed')
  const killed = [fleet.webs[0]!, fleet.workers[0]!]
  const finishUpload = await beginUpload(killed[0]!.url, ownerKey, await readSample(2))
  const [first, ...others] = await sampleUploads()
  expect((await owner.uploadPhotos(ownerKey, [first!], { totalIntendedPhotos: 6 })).status).toBe(200)
  await Promise.all(killed.map((member) => member.kill()))
  await expect(finishUpload()).rejects.toThrow()
  await waitUntil('the balancer to see it', async () => fleet.balancer.ready().length === 1)
  expect((await owner.uploadPhotos(ownerKey, others, { totalIntendedPhotos: 6 })).status).toBe(200)
  await Promise.all(killed.map((member) => member.start()))
  await expectEachOnce(album)
}, 300_000)

describe('a Postgres that is restarted', () => {
  test('makes web and worker processes wait, and nothing is lost or done twice', async () => {
    const { owner, ownerKey, ...album } = await newAlbum('Restarted')
    const [web] = fleet.webs
    await owner.uploadPhotos(ownerKey, await sampleUploads(), { totalIntendedPhotos: 6 })

    await postgres.stop()
    const refusal = await createClient(web!.url).get('/api/albums/list')
    expect(refusal).toMatchObject({ status: 503, body: { code: 'SERVICE_UNAVAILABLE' } })
    expect(refusal.headers.get('retry-after')).toBe('5')
    for (const { url } of [web!, fleet.workers[0]!]) {
      // The process reuses its last answer for a second.
      await waitUntil('the process to be not ready, with the reason', async () => {
        const { status, body } = await maintainerAt(url).get('/readyz')
        const { database, queue, storage } = body.dependencies
        return status === 503 && !database.ok && !queue.ok && storage.ok
      })
      expect((await createClient(url).get('/healthz')).status).toBe(200)
      await waitUntil('its metrics to leave out what the database counts', async () => {
        const { status, body } = await maintainerAt(url).get('/metrics')
        return (
          status === 200 && body.includes('process_cpu_seconds_total') && !body.includes('inframe_photos{')
        )
      })
    }

    postgres = await startPostgres()
    await waitUntil('every web process to be ready', async () => fleet.balancer.ready().length === 2)
    await expectEachOnce(album)
  }, 300_000)
})

test('a worker answers only the calls for health, readiness and metrics', async () => {
  const worker = createClient(fleet.workers[0]!.url)
  expect(await worker.get('/healthz')).toMatchObject({ status: 200, body: { alive: true } })
  expect(await worker.get('/readyz')).toMatchObject({ status: 200, body: { ready: true } })
  // Any of the workers may have indexed the photos of the test before.
  const figures = await Promise.all(fleet.workers.map(({ url }) => maintainerAt(url).get('/metrics')))
  expect(figures.map(({ status }) => status)).toEqual([200, 200, 200])
  const indexed = /^inframe_job_seconds_count\{queue="index-photos",outcome="completed"\} [1-9]/m
  expect(figures.some(({ body }) => indexed.test(body))).toBe(true)
  expect(await worker.get('/api/albums/list')).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } })
})
