import { randomBytes, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { endAlert } from '../alerts/alert-answers.ts'
import { alertToken } from '../alerts/alert-links.ts'
import { bytesOf } from '../faces/embedded/descriptors.ts'
import { boxColumns } from '../photos/face-box.ts'
import { queues } from '../queues/queues.ts'
import { startTestApp, type TestApp } from '../testing/app.ts'
import { createClient } from '../testing/client.ts'
import { readableInFiles } from '../testing/database-files.ts'
import { indexedFace } from '../testing/indexed-face.ts'
import { insertIndexedPhotos } from '../testing/indexed-photos.ts'
import { waitUntil } from '../testing/wait.ts'

/** Faces of an album. Those of two albums are stored in turns, so that they share pages of the table's file. */
const FACES = 60

let service: TestApp
beforeAll(async () => {
  service = await startTestApp()
})
afterAll(() => service?.close())

interface Face {
  faceId: string
  descriptor: Buffer
}

/** Faces whose descriptors have the same first numbers, by which a file is searched for all of them at once. */
function newFaces(count: number): { faces: Face[]; beginning: Buffer } {
  const beginning = bytesOf(new Float32Array(16).map(() => Math.random() - 0.5))
  const faces = Array.from({ length: count }, () => {
    const descriptor = bytesOf(new Float32Array(128).map(() => Math.random() - 0.5))
    descriptor.set(beginning)
    return { faceId: randomUUID(), descriptor }
  })
  return { faces, beginning }
}

/** An album with what an erasure promises to delete, and what of it could be read in a file. */
async function newAlbum() {
  const owner = createClient(service.url)
  const email = `${randomUUID()}@example.com`
  const created = await owner.post('/api/user-albums', { email, albumName: 'Party', displayName: 'Party' })
  const { id: ownerKey, albumName } = created.body.userAlbum
  const { id } = (await owner.get(`/api/albums/by-name/${albumName}`)).body.album
  const { db } = service.database
  await sql`insert into album_engines (album_id, engine) values (${id}, 'embedded')`.execute(db)
  const [person, sealed] = [randomBytes(400), randomBytes(800)]
  await db
    .insertInto('opt_outs')
    .values({ id: randomUUID(), album_id: id, state: 'permanent', faces: 1, person_cipher: person })
    .execute()
  const alertId = randomUUID()
  await db
    .insertInto('photo_alerts')
    .values({
      ...{ id: alertId, album_id: id, address_hash: randomBytes(32), sealed, consent_version: 1 },
      ...{ looked_until: new Date(), letter_ids: [], ends_at: new Date(Date.now() + 86_400_000) },
    })
    .execute()
  const [some, others] = [newFaces(FACES / 4), newFaces((FACES * 3) / 4)]
  const texts = {
    some: some.beginning,
    others: others.beginning,
    address: Buffer.from(email),
    person,
    sealed,
  }
  const faces = [...some.faces, ...others.faces]
  return { id, owner, ownerKey, alertId, faces, someFaceIds: some.faces.map(({ faceId }) => faceId), texts }
}

type TestAlbum = Awaited<ReturnType<typeof newAlbum>>

async function twoAlbums(): Promise<TestAlbum[]> {
  const albums = [await newAlbum(), await newAlbum()]
  const inTurns = Array.from({ length: FACES }, (_, place) =>
    albums.map(({ id, faces }) => ({ album_id: id, ...faces[place]! })),
  ).flat()
  const photoOf = new Map<string, string>()
  for (const { id } of albums) photoOf.set(id, (await insertIndexedPhotos(service.database.db, id, 1))[0]!)
  const { box, confidence, quality } = indexedFace()
  await service.database.db
    .insertInto('faces')
    .values(
      inTurns.map(({ album_id, faceId, descriptor }) => ({
        ...{ id: faceId, album_id, photo_id: photoOf.get(album_id)!, descriptor },
        ...{ ...boxColumns(box), confidence, ...quality },
      })),
    )
    .execute()
  // Postgres does this by itself after a while, and keeps values of columns in its statistics.
  await sql`analyze`.execute(service.database.db)
  return albums
}

const readable = (texts: Record<string, Buffer>) => readableInFiles(service.database.db, texts)

/** Lets the jobs run that would run within the hour. */
async function passTheHour(): Promise<void> {
  const jobsOf = async (name: string) => {
    const jobs = await service.context.jobs.boss.findJobs(name)
    return jobs.filter(({ state }) => ['created', 'retry', 'active'].includes(state))
  }
  await waitUntil('the erasures', async () => {
    const first = [...(await jobsOf('erase-album')), ...(await jobsOf('remove-faces'))]
    return first.every(({ startAfter }) => startAfter > new Date())
  })
  await sql`update pgboss.job set start_after = now() where name = 'forget-erased'`.execute(
    service.database.db,
  )
  await waitUntil('the tables', async () => (await jobsOf('forget-erased')).length === 0)
}

test('within the hour after an erasure nothing of the album can be read in the files of the database', async () => {
  const [gone, other] = (await twoAlbums()) as [TestAlbum, TestAlbum]
  const ALL = ['address', 'others', 'person', 'sealed', 'some']
  expect(await readable(gone.texts)).toEqual(ALL)

  expect((await gone.owner.delete(`/api/albums/${gone.ownerKey}`)).status).toBe(200)
  await passTheHour()

  expect(await readable(gone.texts)).toEqual([])
  expect(await readable(other.texts)).toEqual(ALL)
})

test('within the hour nothing of faces can be read there that were opted out of an album, nor of a guest whose letters have ended', async () => {
  const [album] = (await twoAlbums()) as [TestAlbum]
  const { services } = service.context
  await service.database.db
    .transaction()
    .execute((trx) =>
      services.jobs.send(trx, queues.removeFaces, [{ albumId: album.id, faceIds: album.someFaceIds }]),
    )
  const token = alertToken(services.keyring, 'end', album.alertId)
  expect(await endAlert(services, { token, address: '192.0.2.1' })).toEqual({ hadEnded: false })
  expect(await readable(album.texts)).toContain('some')
  await passTheHour()

  expect(await readable(album.texts)).toEqual(['address', 'others', 'person'])
})
