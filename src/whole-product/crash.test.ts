import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createDb, type Db } from '../database/client.ts'
import { findEmbeddedPostgres } from '../database/embedded/embedded-postgres.ts'
import { processesOn } from '../database/embedded/leftovers.ts'
import { beginForm } from '../testing/begun-form.ts'
import { childrenWith, killAll } from '../testing/child-processes.ts'
import { createClient, readSample, sampleUploads } from '../testing/client.ts'
import { createDataFolder, type DataFolder } from '../testing/data-folder.ts'
import { type ServiceProcess, spawnService, startService } from '../testing/process.ts'
import { waitUntil } from '../testing/wait.ts'

/** One folder for all: creating a database takes longer than starting it. */
let folder: DataFolder
let env: Record<string, string>
const started: ServiceProcess[] = []

beforeAll(async () => {
  folder = await createDataFolder()
  env = { DATA_DIR: folder.path, PORT: '0', FACE_WORKERS: '1' }
})
afterEach(async () => {
  for (const service of started.splice(0)) {
    service.child.kill('SIGTERM')
    await service.ended
  }
})
afterAll(() => folder?.remove())

async function start(): Promise<ServiceProcess> {
  const service = await startService(env)
  started.push(service)
  return service
}

test('the start prints the address and a set-up link, no second one is possible, and SIGTERM ends all processes', async () => {
  const service = await start()
  const port = new URL(service.url).port
  expect(service.lines).toEqual([
    `Inframe is ready at http://localhost:${port} (letters are written to ${folder.path}/outbox)`,
    expect.stringMatching(
      `^To set up Gmail, open this link. It works once: http://localhost:${port}/gmail-oauth#setup=[\\w-]{32}$`,
    ),
  ])
  const silent = connect(Number(port), '127.0.0.1')
  await once(silent, 'connect')
  // After this answer the server has accepted the connection on which nothing was sent.
  expect((await fetch(`${service.url}/api/albums/list`)).status).toBe(200)

  const second = spawnService(env)
  expect(await second.ended).toBe(1)
  expect(second.output().trim()).toBe(
    `Inframe could not start. Another Inframe is already running on ${folder.path}. Stop it, or set another DATA_DIR.`,
  )
  expect((await fetch(`${service.url}/api/albums/list`)).status).toBe(200)

  service.child.kill('SIGTERM')
  expect(await service.ended).toBe(0)
  expect(await processesOn(await folder.cluster())).toEqual([])
  silent.destroy()
})

async function jobsInWork(db: Db): Promise<boolean> {
  const jobs = sql`select id from pgboss.job where name = 'index-photos' and state = 'active'`
  return (await jobs.execute(db)).rows.length > 0
}

test('after kill -9 of all processes during an upload and indexing every photo is stored once, and one letter is sent', async () => {
  let service = await start()
  const { ownerKey } = await createClient(service.url).createAlbum('Power cut')
  const send = async (numbers: number[]) => {
    const uploads = await sampleUploads(numbers)
    return await createClient(service.url).uploadPhotos(ownerKey, uploads, { totalIntendedPhotos: 6 })
  }
  const progress = async () => (await createClient(service.url).get(`/api/albums/${ownerKey}/progress`)).body

  expect((await send([1])).body.successful).toBe(1)
  await waitUntil(
    'the first photo to be indexed',
    async () => (await progress()).photosIndexedToRekognition === 1,
  )
  // The engine stands still while it indexes the next photos.
  for (const engine of childrenWith('face-worker', service.child.pid)) process.kill(engine, 'SIGSTOP')
  expect((await send([2, 3])).body.successful).toBe(2)
  const db = createDb((await findEmbeddedPostgres(folder.path))!, () => {})
  await waitUntil('the next photos to be in work', () => jobsInWork(db))
  const half = beginForm(`${service.url}/api/albums/${ownerKey}/upload-photos`, { part: 'photos' })
  half.send(await readSample(6))
  const staged = () => readdir(join(folder.path, 'staging'))
  await waitUntil('the half to arrive', async () => (await staged()).length > 0)
  expect(await progress()).toMatchObject({ photosUploadedToS3: 3, photosIndexedToRekognition: 1 })
  // Like a power cut.
  const engines = childrenWith('face-worker', service.child.pid)
  killAll([service.child.pid!, ...engines, ...(await processesOn(await folder.cluster()))])
  expect(await service.ended).toBe('SIGKILL')
  await db.destroy()

  service = await start()
  for (const numbers of [
    [1, 2, 3],
    [4, 5, 6],
  ])
    expect((await send(numbers)).body).toMatchObject({ successful: 3, failed: 0 })
  const done = await waitUntil('completion', async () => {
    const now = await progress()
    return now.isCompleted && !now.isIndexingToRekognition && now
  })
  expect(done).toMatchObject({ totalPhotos: 6, photosUploadedToS3: 6, photosIndexedToRekognition: 6 })
  const [letter, ...others] = await waitUntil('the letter', async () => {
    const outbox = join(folder.path, 'outbox')
    const names = (await readdir(outbox)).filter((name) => name.endsWith('.eml'))
    return names.length > 0 && (await Promise.all(names.map((name) => readFile(join(outbox, name), 'utf8'))))
  })
  expect(others).toEqual([])
  expect(letter).toMatch(/^Photos: 6$/m)
  expect(letter).toMatch(/^Faces found: 22$/m)
  const files = await readdir(join(folder.path, 'files', 'albums'), { recursive: true })
  expect(files.filter((name) => name.endsWith('/original'))).toHaveLength(6)
  expect(await staged()).toEqual([])
})
