import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { processesOn } from '../database/postgres-leftovers.ts'
import { killAll } from '../testing/child-processes.ts'
import { type Answer, createClient, sampleUploads, type TestClient } from '../testing/client.ts'
import { createDataFolder, type DataFolder } from '../testing/data-folder.ts'
import { freePort, type ServiceProcess, spawnService, startService } from '../testing/process.ts'
import { waitUntil } from '../testing/wait.ts'

let folder: DataFolder
let env: Record<string, string>
const started: ServiceProcess[] = []

/** Gives a group of tests one data folder, which is empty for the first test: creating a database takes longer than
 *  starting it. */
function useDataFolder(): void {
  beforeAll(async () => {
    folder = await createDataFolder()
  })
  afterAll(() => folder.remove())
}

beforeEach(async () => {
  env = { DATA_DIR: folder.path, PORT: String(await freePort()), FACE_WORKERS: '2' }
})
afterEach(async () => {
  for (const service of started.splice(0)) {
    service.child.kill('SIGTERM')
    await service.ended
  }
})

async function start(): Promise<ServiceProcess> {
  const service = await startService(env)
  started.push(service)
  return service
}

/** Kills the service and its Postgres at the same time, like a power cut. */
async function killEverything(service: ServiceProcess): Promise<void> {
  const processes = [service.child.pid!, ...(await processesOn(await folder.cluster()))]
  killAll(processes)
  expect(await service.ended).toBe('SIGKILL')
}

const letters = async (): Promise<string[]> => {
  const names = await readdir(join(folder.path, 'outbox'))
  const whole = names.filter((name) => name.endsWith('.eml'))
  return await Promise.all(whole.map((name) => readFile(join(folder.path, 'outbox', name), 'utf8')))
}

async function originals(): Promise<string[]> {
  const entries = await readdir(join(folder.path, 'files', 'albums'), { recursive: true })
  return entries.filter((name) => name.endsWith('/original'))
}

describe('the start', () => {
  useDataFolder()

  test('prints the address and a set-up link, and SIGTERM ends all its processes', async () => {
    const service = await start()
    expect(service.lines).toEqual([
      `Inframe is ready at http://localhost:${env.PORT} (letters are written to ${folder.path}/outbox)`,
      expect.stringMatching(
        `^To set up Gmail, open this link. It works once: http://localhost:${env.PORT}/gmail-oauth#setup=[\\w-]{32}$`,
      ),
    ])
    expect((await fetch(`${service.url}/api/albums/list`)).status).toBe(200)
    service.child.kill('SIGTERM')
    expect(await service.ended).toBe(0)
    expect(await processesOn(await folder.cluster())).toEqual([])
  })

  test('is followed by a quick stop, even with an open connection on which nothing was sent', async () => {
    const service = await start()
    const socket = connect(Number(env.PORT), '127.0.0.1')
    await once(socket, 'connect')
    // After this answer the server has accepted the connection.
    await fetch(`${service.url}/api/albums/list`)
    service.child.kill('SIGTERM')
    expect(await service.ended).toBe(0)
    socket.destroy()
  })

  test('on a data folder in use fails with that reason, and the first process keeps running', async () => {
    const first = await start()
    const second = spawnService({ ...env, PORT: String(await freePort()) })
    expect(await second.ended).toBe(1)
    expect(second.output().trim()).toBe(
      `Inframe could not start. Another Inframe is already running on ${folder.path}. Stop it, or set another DATA_DIR.`,
    )
    expect((await fetch(`${first.url}/api/albums/list`)).status).toBe(200)
  })
})

describe('kill -9 of all processes', () => {
  useDataFolder()

  let owner: TestClient
  let ownerKey: string

  /** Sends a batch of sample photos. */
  const send = async (url: string, numbers: number[]) => {
    const uploads = await sampleUploads(numbers)
    return await createClient(url).uploadPhotos(ownerKey, uploads, { totalIntendedPhotos: 6 })
  }

  const progress = async (url: string) =>
    (await createClient(url).get(`/api/albums/${ownerKey}/progress`)).body

  test('during an upload and indexing: in the end every photo is stored once, and one letter is sent', async () => {
    let service = await start()
    owner = createClient(service.url)
    ;({ ownerKey } = await owner.createAlbum('Power cut'))
    expect((await send(service.url, [1, 2, 3])).body.successful).toBe(3)
    // The second batch is being sent while the first one is being indexed.
    const interrupted = send(service.url, [4, 5, 6]).catch(() => 'cut off')
    await waitUntil('the first photo to be indexed', async () => {
      return (await progress(service.url)).photosIndexedToRekognition > 0
    })
    await killEverything(service)
    await interrupted

    service = await start()
    expect((await send(service.url, [1, 2, 3])).body).toMatchObject({ successful: 3, failed: 0 })
    expect((await send(service.url, [4, 5, 6])).body).toMatchObject({ successful: 3, failed: 0 })
    const done = await waitUntil(
      'completion',
      async () => {
        const now = await progress(service.url)
        return now.isCompleted && !now.isIndexingToRekognition && now
      },
      60_000,
    )
    expect(done).toMatchObject({ totalPhotos: 6, photosUploadedToS3: 6, photosIndexedToRekognition: 6 })
    const [letter, ...others] = await waitUntil('the letter', async () => {
      const found = await letters()
      return found.length > 0 && found
    })
    expect(others).toEqual([])
    expect(letter).toMatch(/^Photos: 6$/m)
    expect(letter).toMatch(/^Faces found: 22$/m)
    expect(await originals()).toHaveLength(6)
    expect(await readdir(join(folder.path, 'staging'))).toEqual([])
  })
})

describe('a database that dies', () => {
  useDataFolder()

  test('is restarted; meanwhile calls are answered 503, and nothing is lost', async () => {
    const service = await start()
    const owner = createClient(service.url)
    const { ownerKey, albumName } = await owner.createAlbum('Unlucky')
    killAll(await processesOn(await folder.cluster()))
    const refusals: Answer[] = []
    const answer = await waitUntil('the database to be back', async () => {
      const next = await owner.get(`/api/albums/by-name/${albumName}`)
      if (next.status !== 200) refusals.push(next)
      return next.status === 200 && next
    })
    expect(answer.body.album.displayName).toBe('Unlucky')
    expect(refusals.length).toBeGreaterThan(0)
    for (const { status, headers, body } of refusals) {
      expect(status).toBe(503)
      expect(body).toMatchObject({ code: 'SERVICE_UNAVAILABLE', error: expect.stringMatching(/try again/) })
      expect(headers.get('retry-after')).toBe('5')
    }
    // The job queue works again, too.
    await owner.uploadPhotos(ownerKey, await sampleUploads([1]), { totalIntendedPhotos: 1 })
    await waitUntil('the photo to be indexed', async () => {
      return (await owner.get(`/api/albums/${ownerKey}/progress`)).body.isCompleted
    })
  })
})
