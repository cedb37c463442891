import { createDb, type Db } from '../../../src/database/client.ts'
import { createClient, readSample, sampleUploads, type TestClient } from '../../../src/testing/client.ts'
import { MAIN, startService } from '../../../src/testing/process.ts'
import { waitUntil } from '../../../src/testing/wait.ts'
import { undoLater } from '../cleanup.ts'
import { makeDataFolder, sharedParts } from '../server-process.ts'
import { garbageCollector, memoryOfAll } from './process-memory.ts'

const PHOTOS = [1, 2]

/** A running service with an album that guests search while somebody attacks it. */
export interface AttackedSite {
  url: string
  db: Db
  dataDir: string
  album: { id: string; albumName: string; password: string }
  /** A selfie of somebody who is in the album. */
  selfie: Buffer
  /** A caller from a network address of their own, or from this one, without a cookie. */
  stranger(address?: string): TestClient
  /** A guest of the album. */
  guest(address?: string): Promise<TestClient>
  /** The bytes of the service and its processes, unless it is told otherwise after a garbage collection. */
  memory(options?: { collects: boolean }): Promise<number>
  hasEnded(): boolean
  /** Removes what attacks have left: their albums, and what the limits have counted. */
  forget(): Promise<void>
}

/** Starts the service in a process of its own, with two indexed photos. */
export async function startAttackedSite(): Promise<AttackedSite> {
  const dataDir = await makeDataFolder()
  const env = await sharedParts(dataDir)
  const { child, url, ended } = await startService({ ...env, PORT: '0', FACE_WORKERS: '1' }, [
    process.execPath,
    '--max-semi-space-size=1',
    '--inspect-port=0',
    MAIN,
  ])
  const collectGarbage = await garbageCollector(child)
  const db = createDb({ connectionString: env.DATABASE_URL! }, () => {})
  undoLater(async () => {
    // A clean stop would wait for the jobs that the attacks left.
    child.kill('SIGKILL')
    await ended
    await db.destroy()
  })
  // Of the network 198.18.0.0/15, which is reserved for benchmarks (RFC 2544).
  let callers = 0
  const newAddress = () => `198.18.${++callers >> 8}.${callers & 255}`
  const stranger = (address = newAddress()) => createClient(url, '', { 'x-forwarded-for': address })
  const album = await makeAlbum(stranger())
  return {
    url,
    db,
    dataDir,
    album,
    selfie: await readSample(1),
    stranger,
    async guest(address) {
      const client = stranger(address)
      await client.post(`/api/albums/${album.albumName}/authenticate`, { password: album.password })
      return client
    },
    async memory({ collects } = { collects: true }) {
      if (collects) await collectGarbage()
      return await memoryOfAll(child.pid!)
    },
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    async forget() {
      await db.deleteFrom('albums').where('id', '<>', album.id).execute()
      await db.deleteFrom('rate_limits').execute()
    },
  }
}

async function makeAlbum(owner: TestClient): Promise<AttackedSite['album']> {
  const { ownerKey, albumName } = await owner.createAlbum('A party under attack')
  await owner.uploadPhotos(ownerKey, await sampleUploads(PHOTOS), { totalIntendedPhotos: PHOTOS.length })
  await untilComplete(owner, ownerKey)
  const { album } = (await owner.get(`/api/albums/by-name/${albumName}`)).body
  return { id: album.id, albumName, password: album.albumPassword }
}

/** Waits until all photos of an album are indexed. */
export async function untilComplete(owner: TestClient, ownerKey: string): Promise<void> {
  await waitUntil('the album to be complete', async () => {
    const { body } = await owner.get(`/api/albums/${ownerKey}/progress`)
    return body.isCompleted
  })
}
