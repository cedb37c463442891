import { createHash, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDb } from '../../database/client.ts'
import { createLog } from '../../log.ts'
import { createTestDomain, type TestDomain } from '../../testing/domain.ts'
import { describeFaceIndex } from '../../testing/face-index-conformance.ts'
import { createEmbeddedFaceIndex } from './embedded-face-index.ts'
import type { DescribedPhoto } from './engine.ts'
import { createFaceWorkers, type FaceWorkers } from './face-workers.ts'
import { createPostgresDescriptorStore } from './postgres-descriptor-store.ts'

const log = createLog('silent')
let domain: TestDomain

beforeAll(async () => {
  domain = await createTestDomain()
})
afterAll(() => domain?.close())

/** A face engine that describes each photo only once, which is faster. embedded-face-index.test.ts shows that a picture
 *  gives the same result each time. */
function createCachingWorkers(): FaceWorkers {
  const workers = createFaceWorkers({ log, size: 1 })
  const known = new Map<string, Promise<DescribedPhoto>>()
  return {
    ...workers,
    describePhoto(image, albumId) {
      const hash = createHash('sha256').update(image).digest('hex')
      const described = known.get(hash) ?? workers.describePhoto(image, albumId)
      known.set(hash, described)
      return described
    },
  }
}

describeFaceIndex('the embedded engine on Postgres', async () => ({
  index: createEmbeddedFaceIndex({
    store: createPostgresDescriptorStore(domain.db),
    workers: createCachingWorkers(),
  }),
  newAlbum: async () => (await domain.newAlbum()).id,
}))

describe('descriptors in Postgres', () => {
  const store = () => createPostgresDescriptorStore(domain.db)
  const face = () => ({ faceId: randomUUID(), descriptor: Float32Array.from({ length: 128 }, Math.random) })

  async function newCollection(): Promise<string> {
    const { id } = await domain.newAlbum()
    await store().createCollection(id)
    return id
  }

  const stateOf = async (albumId: string) => (await store().states([albumId])).get(albumId)

  async function loadAll(albumId: string, after: number, upTo: number): Promise<string[]> {
    const ids: string[] = []
    for await (const chunk of store().load(albumId, after, upTo)) ids.push(...chunk.map((row) => row.faceId))
    return ids
  }

  test('are read as they were written, number for number', async () => {
    const albumId = await newCollection()
    const saved = face()
    await store().savePhoto(albumId, randomUUID(), [saved])
    const state = await stateOf(albumId)
    for await (const chunk of store().load(albumId, 0, state!.revision)) {
      expect(chunk).toHaveLength(1)
      expect(chunk[0]!.descriptor).toEqual(saved.descriptor)
    }
  })

  test('written by many at once are all read by a process that follows the revisions', async () => {
    const albumId = await newCollection()
    const faces = Array.from({ length: 60 }, face)
    const seen = new Set<string>()
    let known = 0
    const read = async () => {
      const { revision } = (await stateOf(albumId))!
      for (const id of await loadAll(albumId, known, revision)) seen.add(id)
      known = revision
    }
    const writes = faces.map((one) => store().savePhoto(albumId, randomUUID(), [one]))
    const reads = (async () => {
      for (let turn = 0; turn < 30; turn++) await read()
    })()
    await Promise.all([...writes, reads])
    await read()
    expect(seen.size).toBe(60)
  })

  test('written by two processes at once are all read, and need few revisions', async () => {
    const albumId = await newCollection()
    const other = createDb(domain.address, (error) => {
      throw error
    })
    const stores = [store(), createPostgresDescriptorStore(other)]
    const faces = Array.from({ length: 60 }, face)
    const save = (one: ReturnType<typeof face>, index: number) =>
      stores[index % 2]!.savePhoto(albumId, randomUUID(), [one])
    let known = (await stateOf(albumId))!.revision
    const seen: string[] = []
    const read = async () => {
      const { revision } = (await stateOf(albumId))!
      seen.push(...(await loadAll(albumId, known, revision)))
      known = revision
    }
    const writes = Promise.all(faces.map(save))
    for (let turn = 0; turn < 10; turn++) await read()
    await writes
    await read()
    await other.destroy()
    expect(seen.toSorted()).toEqual(faces.map(({ faceId }) => faceId).toSorted())
    const stored = await domain.db
      .selectFrom('face_descriptors')
      .select('revision')
      .distinct()
      .where('album_id', '=', albumId)
      .execute()
    expect(stored.length).toBeLessThanOrEqual(4)
  })

  test('of one photo that is saved twice at once are stored once, beside those of the others', async () => {
    const albumId = await newCollection()
    const [photoId, otherId] = [randomUUID(), randomUUID()]
    const [one, another] = [face(), face()]
    const save = () =>
      Promise.all([
        store().savePhoto(albumId, photoId, [one]),
        store().savePhoto(albumId, otherId, [another]),
        store().savePhoto(albumId, photoId, [one]),
      ])
    await save()
    const state = await stateOf(albumId)
    expect((await loadAll(albumId, 0, state!.revision)).toSorted()).toEqual(
      [one.faceId, another.faceId].toSorted(),
    )
    await save()
    expect(await stateOf(albumId), 'a repetition changes nothing').toEqual(state)
  })

  test('that replace others of the same photo count as a removal', async () => {
    const albumId = await newCollection()
    const [photoId, otherId] = [randomUUID(), randomUUID()]
    await store().savePhoto(albumId, photoId, [face()])
    const [first, second] = [face(), face()]
    await Promise.all([
      store().savePhoto(albumId, photoId, [first]),
      store().savePhoto(albumId, otherId, [second]),
    ])
    const { revision, removedRevision } = (await stateOf(albumId))!
    expect(removedRevision).toBe(revision)
    expect((await loadAll(albumId, 0, revision)).toSorted()).toEqual([first.faceId, second.faceId].toSorted())
  })

  test('of many photos come in pages, in order, none twice', async () => {
    const albumId = await newCollection()
    const { revision } = (await stateOf(albumId))!
    const rows = Array.from({ length: 12_001 }, (_, index) => ({
      face_id: randomUUID(),
      album_id: albumId,
      photo_id: randomUUID(),
      revision: revision + 1 + Math.floor(index / 7000),
      descriptor: Buffer.alloc(512),
    }))
    for (let start = 0; start < rows.length; start += 5000)
      await domain.db
        .insertInto('face_descriptors')
        .values(rows.slice(start, start + 5000))
        .execute()
    const loaded = await loadAll(albumId, revision, revision + 2)
    expect(loaded).toHaveLength(12_001)
    expect(new Set(loaded).size).toBe(12_001)
  })

  test('are deleted after their album, and nothing stores them again', async () => {
    const albumId = await newCollection()
    await store().savePhoto(albumId, randomUUID(), [face()])
    await domain.db.deleteFrom('albums').where('id', '=', albumId).execute()
    await store().deleteCollection(albumId)
    expect(await store().countFaces(albumId)).toBe(0)
    await expect(store().savePhoto(albumId, randomUUID(), [face()])).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
    await expect(store().createCollection(albumId)).rejects.toThrow()
  })

  test('a collection that is created again starts after its former revisions', async () => {
    const albumId = await newCollection()
    const former = (await stateOf(albumId))!
    await store().deleteCollection(albumId)
    expect(await stateOf(albumId)).toBeUndefined()
    await store().createCollection(albumId)
    expect((await stateOf(albumId))!.removedRevision).toBeGreaterThan(former.revision)
  })
})
