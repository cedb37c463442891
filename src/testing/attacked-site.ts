import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { createClient, readSample, sampleUploads, type TestClient } from './client.ts'
import { createTestDatabase, databaseUrl, type TestDatabase } from './database.ts'
import { loadOthers, type OtherVisitors } from './other-visitors.ts'
import { MAIN, type ServiceProcess, startService } from './process.ts'
import { watchMemory } from './process-memory.ts'
import { waitUntil } from './wait.ts'

const PHOTOS = [1, 2]
/** Above the memory at rest. The allocator returns memory late, and in large pieces. */
const MEMORY_SLACK_BYTES = 64 * 2 ** 20

/** A running service with an album that guests search while somebody attacks it. */
export interface AttackedSite {
  url: string
  database: TestDatabase
  service: ServiceProcess
  dataDir: string
  album: { id: string; albumName: string; ownerKey: string; password: string }
  /** A selfie of somebody who is in the album. */
  selfie: Buffer
  /** A caller from a network address of their own, without a cookie. */
  stranger(): TestClient
  /** A guest of the album, from a network address of their own. */
  guest(): Promise<TestClient>
  /** Repeats an attack until other visitors have been measured. Then waits until the service's memory is again what it
   *  was before.
   *  @throws Error when another visitor waited more than five times as long as without the attack, or when the memory
   *  does not return */
  attack(once: () => Promise<unknown>): Promise<void>
  close(): Promise<void>
}

/** Starts the service in a process of its own, with two indexed photos.
 *  @param env further variables */
export async function startAttackedSite(env: Record<string, string> = {}): Promise<AttackedSite> {
  const database = await createTestDatabase()
  const dataDir = await mkdtemp(join(tmpdir(), 'inframe-attacked-'))
  const service = await startService(
    {
      DATABASE_URL: databaseUrl(database.address),
      SECRET_KEY: 'a secret for tests that is as long as a real one',
      DATA_DIR: dataDir,
      PORT: '0',
      FACE_WORKERS: '1',
      ...env,
    },
    [process.execPath, '--inspect-port=0', MAIN],
  )
  const memory = await watchMemory(service.child)
  const callers = networkAddresses()
  const caller = () => createClient(service.url, '', { 'x-forwarded-for': callers.next().value! })
  const album = await makeAlbum(caller())
  const selfie = await readSample(1)
  let others: OtherVisitors | undefined

  const guest = async () => {
    const client = caller()
    const { status } = await client.post(`/api/albums/${album.albumName}/authenticate`, {
      password: album.password,
    })
    if (status !== 200) throw new Error(`The password was answered with ${status}`)
    return client
  }

  return {
    url: service.url,
    database,
    service,
    dataDir,
    album,
    selfie,
    stranger: caller,
    guest,

    async attack(once) {
      others ??= await loadOthers(await guest(), album, selfie)
      const memoryAtRest = await memory.used()
      const before = await others.measure()
      const attacking = new AbortController()
      const [measured] = await Promise.all([
        others.measure().finally(() => attacking.abort()),
        repeat(once, attacking.signal),
      ])
      others.compare([before, await others.measure()], measured)
      await waitUntil(
        'the memory of the service to return',
        async () => (await memory.used()) < memoryAtRest + MEMORY_SLACK_BYTES,
        30_000,
      )
    },

    async close() {
      memory.close()
      // A clean stop would wait for the jobs that the attack left.
      service.child.kill('SIGKILL')
      await service.ended
      await database.drop()
      // Its decoders end a moment later, and may still add a file.
      await rm(dataDir, { recursive: true, maxRetries: 10 })
    },
  }
}

async function repeat(once: () => Promise<unknown>, signal: AbortSignal): Promise<void> {
  do {
    await once()
    // An attack that has nothing left to do must not keep the measure from running.
    await pause(1)
  } while (!signal.aborted)
}

/** Addresses of the network 198.18.0.0/15, which is reserved for benchmarks (RFC 2544). */
function* networkAddresses(): Generator<string, never> {
  for (let number = 1; ; number++) yield `198.18.${number >> 8}.${number & 255}`
}

async function makeAlbum(owner: TestClient): Promise<AttackedSite['album']> {
  const { ownerKey, albumName } = await owner.createAlbum('A party under attack')
  const uploads = await sampleUploads(PHOTOS)
  const uploaded = await owner.uploadPhotos(ownerKey, uploads, { totalIntendedPhotos: PHOTOS.length })
  if (uploaded.status !== 200) throw new Error(`The upload was answered with ${uploaded.status}`)
  const { body } = await owner.get(`/api/albums/by-name/${albumName}`)
  await waitUntil('the album to be complete', async () => {
    const progress = await owner.get(`/api/albums/${body.album.id}/progress`)
    return progress.body.isCompleted
  })
  return { id: body.album.id, albumName, ownerKey, password: body.album.albumPassword }
}
