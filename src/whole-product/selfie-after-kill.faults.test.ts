import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createClient, readSample } from '../testing/client.ts'
import { createTestDatabase, databaseUrl, type TestDatabase } from '../testing/database.ts'
import { insertIndexedPhotos } from '../testing/indexed-photos.ts'
import { freePort, type ServiceProcess, startService } from '../testing/process.ts'
import { waitUntil } from '../testing/wait.ts'

let database: TestDatabase
let dataDir: string
const started: ServiceProcess[] = []

beforeEach(async () => {
  database = await createTestDatabase()
  dataDir = await mkdtemp(join(tmpdir(), 'inframe-kill-'))
})
afterEach(async () => {
  for (const service of started.splice(0)) {
    service.child.kill('SIGTERM')
    await service.ended
  }
  await database.drop()
  await rm(dataDir, { recursive: true })
})

/** @param role a `web` process accepts selfies, but does not match them. */
async function start(role: 'web' | 'all'): Promise<ServiceProcess> {
  const service = await startService({
    DATABASE_URL: databaseUrl(database.address),
    SECRET_KEY: 'a secret for tests that is as long as a real one',
    DATA_DIR: dataDir,
    PORT: String(await freePort()),
    FACE_WORKERS: '1',
    ROLE: role,
  })
  started.push(service)
  return service
}

const storedSelfies = () => readdir(join(dataDir, 'files', 'selfies')).catch(() => [])
const submission = () => database.db.selectFrom('submissions').selectAll().executeTakeFirstOrThrow()
const waitingJobs = async () => {
  const waiting = sql`select id from pgboss.job where name = 'match-selfie' and state = 'created'`
  return (await waiting.execute(database.db)).rows
}

/** Submits a selfie and kills the service before it is matched. */
async function killBeforeMatch(): Promise<void> {
  const service = await start('web')
  const owner = createClient(service.url)
  const { ownerKey, albumName } = await owner.createAlbum()
  const { body } = await owner.get(`/api/albums/by-name/${albumName}`)
  await insertIndexedPhotos(database.db, body.album.id, 1)
  const answer = owner.submitSelfie(await readSample(1), { userAlbumId: ownerKey }).catch(() => 'cut off')
  await waitUntil('the selfie and its job', async () => (await waitingJobs()).length === 1)
  service.child.kill('SIGKILL')
  expect(await service.ended).toBe('SIGKILL')
  expect(await answer).toBe('cut off')
  expect(await storedSelfies()).toHaveLength(1)
  expect(await submission()).toMatchObject({ outcome: null, selfie_deleted_at: null })
}

async function expectDeletedByNextStart(outcome: string, answer: object): Promise<void> {
  const { url } = await start('all')
  const { id } = await waitUntil('the selfie to be deleted', async () => {
    const row = await submission()
    return row.selfie_deleted_at !== null && row
  })
  expect(await storedSelfies()).toEqual([])
  expect(await submission()).toMatchObject({ outcome })
  const { body } = await createClient(url).get(`/api/results/${id}`)
  expect(body).toEqual({ processed: true, totalMatches: 0, photos: [], ...answer })
}

test('a selfie whose process was killed is matched and deleted by the next process', async () => {
  await killBeforeMatch()
  await expectDeletedByNextStart('matched', { possible: [] })
})

test('an old selfie that no job will match is deleted at the next start', async () => {
  await killBeforeMatch()
  // As if the process had been killed before the job was written, and the next start came minutes later.
  await sql`delete from pgboss.job where name = 'match-selfie'`.execute(database.db)
  await database.db
    .updateTable('submissions')
    .set({ created_at: sql<Date>`now() - make_interval(secs => 200)` })
    .execute()
  await expectDeletedByNextStart('expired', { hasFailed: true })
})
