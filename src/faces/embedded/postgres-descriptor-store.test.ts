import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createPool } from '../../database/client.ts'
import { uuidOf } from '../../database/uuid.ts'
import { createTestDomain, type TestDomain } from '../../testing/domain.ts'
import { insertIndexedPhotos } from '../../testing/indexed-photos.ts'
import { createPostgresDescriptorReader } from './postgres-descriptor-reader.ts'
import { createPostgresDescriptorStore } from './postgres-descriptor-store.ts'

let domain: TestDomain
let pool: pg.Pool

beforeAll(async () => {
  domain = await createTestDomain()
  pool = createPool(domain.address, (error) => {
    throw error
  })
})
afterAll(async () => {
  await pool?.end()
  await domain?.close()
})

describe('descriptors in Postgres', () => {
  const store = () => createPostgresDescriptorStore(domain.db)
  const face = () => ({ faceId: randomUUID(), descriptor: Float32Array.from({ length: 128 }, Math.random) })

  async function newCollection(): Promise<string> {
    const { id } = await domain.newAlbum()
    await store().createCollection(id)
    return id
  }

  const reader = () => createPostgresDescriptorReader(pool)
  const stateOf = async (albumId: string) => (await reader().states([albumId])).get(albumId)

  async function loadAll(albumId: string, after: number, upTo: number): Promise<string[]> {
    const ids: string[] = []
    await reader().load(albumId, { after, upTo }, ({ count, faceIds }) => {
      for (let face = 0; face < count; face++) ids.push(uuidOf(faceIds, face * 16))
    })
    return ids
  }

  /** The faces that a reader takes out, which knows the revision `after`. */
  async function removedSince(albumId: string, after: number): Promise<string[] | undefined> {
    return await reader().removedFaces(albumId, after, (await stateOf(albumId))!)
  }

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

  test('that replace others of the same photo remove them first', async () => {
    const albumId = await newCollection()
    const photoId = randomUUID()
    const former = face()
    await store().savePhoto(albumId, photoId, [former])
    const { revision: known } = (await stateOf(albumId))!
    const next = face()
    await store().savePhoto(albumId, photoId, [next])
    const { revision, removedRevision } = (await stateOf(albumId))!
    expect(removedRevision).toBe(revision)
    expect(await removedSince(albumId, known)).toEqual([former.faceId])
    expect(await loadAll(albumId, known, revision)).toEqual([next.faceId])
  })

  test('that were removed are all named, however many removals a reader has missed', async () => {
    const albumId = await newCollection()
    const photos = Array.from({ length: 5 }, () => ({ id: randomUUID(), faces: [face(), face()] }))
    for (const { id, faces } of photos) await store().savePhoto(albumId, id, faces)
    const { revision: known } = (await stateOf(albumId))!
    const revisions: number[] = []
    for (const { id } of photos.slice(0, 3)) {
      await store().removePhotos(albumId, [id, randomUUID()])
      revisions.push((await stateOf(albumId))!.revision)
    }
    const gone = photos.slice(0, 3).flatMap(({ faces }) => faces.map(({ faceId }) => faceId))
    expect((await removedSince(albumId, known))!.toSorted()).toEqual(gone.toSorted())
    expect((await removedSince(albumId, revisions[1]!))!.toSorted()).toEqual(gone.slice(4).toSorted())
    expect(await removedSince(albumId, revisions[2]!)).toEqual([])
  })

  test('the record of removals does not grow for ever, and a reader that missed a part loads everything again', async () => {
    const albumId = await newCollection()
    const photos = Array.from({ length: 6 }, () => randomUUID())
    for (const photoId of photos) await store().savePhoto(albumId, photoId, [face()])
    const { revision: known } = (await stateOf(albumId))!
    for (const photoId of photos.slice(0, 4)) await store().removePhotos(albumId, [photoId])
    await domain.db
      .updateTable('face_removals')
      .set({ removed_at: sql<Date>`now() - interval '25 hours'` })
      .where('album_id', '=', albumId)
      .execute()
    for (const photoId of photos.slice(4)) await store().removePhotos(albumId, [photoId])
    const left = await domain.db
      .selectFrom('face_removals')
      .select('revision')
      .where('album_id', '=', albumId)
      .execute()
    expect(left).toHaveLength(2)
    expect(await removedSince(albumId, known)).toBeUndefined()
  })

  test('are deleted after their album, and nothing stores them again', async () => {
    const albumId = await newCollection()
    const photoId = randomUUID()
    for (const one of [face(), face()]) await store().savePhoto(albumId, photoId, [one])
    await domain.db.deleteFrom('albums').where('id', '=', albumId).execute()
    await store().deleteCollection(albumId)
    expect(await store().countFaces(albumId)).toBe(0)
    const removals = domain.db.selectFrom('face_removals').selectAll().where('album_id', '=', albumId)
    expect(await removals.execute()).toEqual([])
    await expect(store().savePhoto(albumId, randomUUID(), [face()])).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
    await expect(store().createCollection(albumId)).rejects.toThrow()
  })

  describe('the faces that a search compares', () => {
    const QUALITY = { sharpness: 60, brightness: 50, yaw: 3, pitch: 0, roll: 0 }

    /** Stores a photo of 4,000 × 3,000 pixels with these faces, which are so much of its width wide. */
    async function savePhoto(albumId: string, faces: { width: number; sharpness?: number }[]) {
      const [photoId] = await insertIndexedPhotos(domain.db, albumId, 1)
      await domain.db
        .updateTable('photos')
        .set({ width: 4_000, height: 3_000, face_count: faces.length })
        .where('id', '=', photoId!)
        .execute()
      const saved = faces.map(face)
      await store().savePhoto(albumId, photoId!, saved)
      for (const [index, { width, sharpness = 60 }] of faces.entries())
        await domain.db
          .insertInto('faces')
          .values({
            id: saved[index]!.faceId,
            album_id: albumId,
            photo_id: photoId!,
            confidence: 99,
            box_left: 0,
            box_top: 0,
            box_width: width,
            box_height: width,
            ...QUALITY,
            sharpness,
          })
          .execute()
      return saved.map(({ faceId }) => faceId)
    }

    const strictnessOf = async (albumId: string, faceIds: string[]) => {
      const found = new Map(
        (await reader().facesOf(albumId, faceIds)).map((one) => [one.faceId, one.strictness]),
      )
      return faceIds.map((faceId) => found.get(faceId))
    }

    test('are stricter when they are blurred, or small in the picture that was described', async () => {
      const albumId = await newCollection()
      // 40 and 30 pixels of 2,000.
      const faces = await savePhoto(albumId, [
        { width: 0.02 },
        { width: 0.015 },
        { width: 0.1, sharpness: 9 },
      ])
      expect(await strictnessOf(albumId, faces)).toEqual([0, 0.04, 0.04])
    })

    test('together are the largest of the photos that show several people', async () => {
      const albumId = await newCollection()
      await savePhoto(albumId, [{ width: 0.2 }])
      const pair = await savePhoto(albumId, [{ width: 0.1 }, { width: 0.3 }])
      const crowd = await savePhoto(
        albumId,
        [5, 1, 4, 2, 6, 3].map((width) => ({ width: width / 20 })),
      )
      const together = await reader().facesTogether(albumId)
      const byPhoto = [...Map.groupBy(together, ({ photoId }) => photoId).values()].map((faces) =>
        faces.map(({ faceId }) => faceId),
      )
      expect(byPhoto).toHaveLength(2)
      expect(byPhoto).toContainEqual([pair[1], pair[0]])
      expect(byPhoto).toContainEqual([4, 0, 2, 5].map((place) => crowd[place]))
    })

    test('have a state that says how many they are, and how far strangers are from each other', async () => {
      const albumId = await newCollection()
      await savePhoto(albumId, [{ width: 0.2 }])
      expect(await stateOf(albumId)).toMatchObject({ faces: 1 })
      expect(await stateOf(albumId)).not.toHaveProperty('strangers')
      const measured = { faces: 1, couples: 3, median: 0.75, deviation: 0.125 }
      for (const couples of [2, 3]) await reader().keepStrangers(albumId, { ...measured, couples })
      expect(await stateOf(albumId)).toMatchObject({ strangers: measured })
      await store().deleteCollection(albumId)
      await reader().keepStrangers(albumId, measured)
      await store().createCollection(albumId)
      expect(await stateOf(albumId)).not.toHaveProperty('strangers')
    })
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
