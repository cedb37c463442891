import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findAlbum } from '../albums/queries.ts'
import { uploadBatch } from '../albums/upload.ts'
import type { Album } from '../database/schema.ts'
import type { FaceIndex } from '../faces/face-index.ts'
import { createLog } from '../log.ts'
import type { Mailer } from '../mail/mailer.ts'
import { createMetrics } from '../metrics.ts'
import { createTestDomain, type TestDomain } from '../testing/domain.ts'
import { newPicture } from '../testing/new-picture.ts'
import { waitUntil } from '../testing/wait.ts'
import type { JobDeps } from './define-handler.ts'
import { forgetCalls } from './forget-calls.ts'

/** More than a machine with two cores works on at once. */
const ALBUMS = 20
const CROWD = '203.0.113.7'
const OTHER = '198.51.100.9'

let domain: TestDomain
/** Holds the photos, or letters, of the network with many albums until they are let go. */
function createGate() {
  const { promise, resolve } = Promise.withResolvers<void>()
  const gate = {
    held: 0,
    letGo: resolve,
    async hold() {
      gate.held++
      await promise
    },
  }
  return gate
}

const photos = createGate()
const letters = createGate()
const ofOther = new Set<string>()
const owners = new Set<string | undefined>()

beforeAll(async () => {
  domain = await createTestDomain()
  for (let number = 0; number < ALBUMS; number++)
    await upload(await newAlbum(`crowd-${number}@example.com`), CROWD)
  await domain.queue.work(deps())
})
afterAll(async () => {
  photos.letGo()
  letters.letGo()
  await domain?.close()
})

async function upload(album: Album, network: string): Promise<void> {
  const file = await domain.stage(await newPicture(), 'a.png')
  const { successful } = await uploadBatch(domain, album, { totalIntendedPhotos: 1 }, [file], network)
  expect(successful).toBe(1)
}

async function newAlbum(email: string): Promise<Album> {
  const { id } = await domain.newAlbum(email)
  if (!email.startsWith('crowd')) for (const key of [id, email]) ofOther.add(key)
  await domain.db.updateTable('albums').set({ email }).where('id', '=', id).execute()
  return (await findAlbum(domain.db, { id }))!
}

function deps(): JobDeps {
  const faces = {
    engine: 'embedded',
    async indexPhoto(albumId, _photoId, _photo, options) {
      owners.add(options?.owner)
      if (!ofOther.has(albumId)) await photos.hold()
      return { faces: [], unindexed: [] }
    },
  } as Partial<FaceIndex> as FaceIndex
  const mailer: Mailer = {
    async send({ to }) {
      if (!ofOther.has(to)) await letters.hold()
    },
    check: async () => {},
    close: async () => {},
  }
  const log = createLog('silent')
  const readings = {
    queues: async () => [],
    photos: async () => ({}),
    decoders: () => ({ waiting: 0, running: 0 }),
  }
  const metrics = createMetrics(readings, () => {})
  return {
    ...domain,
    faces,
    mailer,
    log,
    metrics,
    siteUrl: 'https://photos.example.com',
  } as Partial<JobDeps> as JobDeps
}

const roundsOf = (album: Album) =>
  domain.db.selectFrom('upload_rounds').selectAll().where('album_id', '=', album.id).execute()

test('the slow photos of twenty albums of one network do not delay those of another network', async () => {
  await waitUntil('the photos of the network to be in work', async () => photos.held > 0)
  const other = await newAlbum('first@example.com')
  await upload(other, OTHER)
  await waitUntil('the album to be complete', async () => (await roundsOf(other))[0]!.completed_at)
  expect(owners.size).toBe(2)
})

test('nor do the slow letters of that network delay that of another network', async () => {
  photos.letGo()
  await waitUntil('a letter of the network to be in work', async () => letters.held > 0)
  const other = await newAlbum('second@example.com')
  await upload(other, OTHER)
  await waitUntil('the letter', async () => (await roundsOf(other))[0]!.letter_sent_at)
  expect(letters.held).toBe(1)
})

test('the networks of uploads are forgotten after a day', async () => {
  const networks = async () => {
    await forgetCalls.run(deps(), {}, { attempt: 1 })
    const rows = await domain.db.selectFrom('upload_rounds').select('network_hash').execute()
    return rows.filter((row) => row.network_hash !== null).length
  }
  expect(await networks()).toBe(ALBUMS + 2)
  await sql`update upload_rounds set opened_at = now() - interval '25 hours'`.execute(domain.db)
  expect(await networks()).toBe(0)
})
