import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { withAlbum } from '../database/transaction.ts'
import { endFaces } from '../jobs/end-faces.ts'
import { optOut } from '../opt-outs/opt-out.ts'
import { eraseOptOuts, undoOptOut } from '../opt-outs/undo-or-erase.ts'
import { putSettings } from '../testing/album-rows.ts'
import { tellOwners } from '../testing/mailbox.ts'
import * as two from '../testing/two-engines.ts'
import { album, deps, domain, found, photos, rows } from '../testing/two-engines.ts'
import { retryGivenUp } from '../uploads/change-photos.ts'
import { progressOf } from '../uploads/progress.ts'
import { findAlbumWithProgress } from '../uploads/queries.ts'
import { facesEnded } from './end-faces.ts'
import { findAlbum } from './queries.ts'

two.indexAlbumForEachTest()

const NOBODY = [[], [], [], []]

const current = async () => (await findAlbum(domain.db, album))!
const runJob = () => endFaces.run(deps('embedded'), {}, { attempt: 1 })
const findsNow = () => found(deps('embedded'))
const faceRows = () =>
  domain.db
    .selectFrom('faces')
    .select(['photo_id', 'opt_out_id', 'confidence', 'descriptor'])
    .where('album_id', '=', album.id)
    .execute()

/** The last upload, and what was indexed then, is so many days ago. */
async function setAge(days: number): Promise<void> {
  const then = sql<Date>`now() - make_interval(days => ${days})`
  await domain.db.updateTable('albums').set({ last_settled_at: then }).execute()
  await domain.db.updateTable('upload_rounds').set({ last_activity_at: then }).execute()
}

/** The faces have ended, and the job has removed them from the engine. */
async function end(): Promise<void> {
  await setAge(181)
  await runJob()
  await two.clearAll('embedded')
}

async function optOutOf(place: number): Promise<string> {
  const request = { faceIds: await two.facesOf(photos[place]!), hidePhotos: false, keepOut: false }
  return (await optOut(deps('embedded'), album, request, two.GUEST)).receipt
}

describe('the faces of an album', () => {
  test('are deleted so many days after the last upload, once, and the photos stay', async () => {
    await putSettings(domain.db, { facesEndDays: 30 })
    await setAge(29)
    await runJob()
    expect(await findsNow()).toEqual(two.EACH_IN_ITS_PHOTO)
    await setAge(31)
    await Promise.all([runJob(), runJob()])
    await runJob()
    expect(await domain.waiting('clear-engine')).toEqual([{ albumId: album.id, engine: 'embedded' }])
    for (let times = 0; times < 2; times++) await two.clearAll('embedded')
    expect([await faceRows(), await two.facesIn('embedded'), await findsNow()]).toEqual([[], 0, NOBODY])
    expect((await rows()).map(({ state }) => state)).toEqual(Array(4).fill('indexed'))
    expect(await current()).toMatchObject({ engine: null, engines_to_clear: [], photos_settled: 4 })
    expect(progressOf((await findAlbumWithProgress(domain.db, album))!, 'rekognition')).toMatchObject({
      isCompleted: true,
      isOfAnotherEngine: false,
      facesEndedAt: expect.any(String),
    })
  })

  test('stay when something was uploaded since, although nothing of it could be indexed', async () => {
    await setAge(181)
    await domain.db.updateTable('upload_rounds').set({ last_activity_at: new Date() }).execute()
    await runJob()
    expect((await current()).faces_ended_at).toBeNull()
  })

  test('stay when an upload begins at the same time', async () => {
    await setAge(181)
    let job: Promise<void> | undefined
    await withAlbum(domain.db, album.id, async (trx) => {
      job = runJob()
      // It finds the album, and waits for it.
      await pause(300)
      await trx.updateTable('upload_rounds').set({ last_activity_at: new Date() }).execute()
    })
    await job
    expect((await current()).faces_ended_at).toBeNull()
  })

  test('do not come back by a job that waited, or by photos that are tried again', async () => {
    await end()
    await two.indexOne(photos[0]!, 'embedded', { again: true })
    expect(await faceRows()).toEqual([])
    await expect(retryGivenUp(domain, album, two.GUEST)).rejects.toThrow(facesEnded())
    expect((await current()).engine).toBeNull()
  })
})

describe('after that', () => {
  test('another upload has all photos indexed again, when the engine has forgotten them', async () => {
    await setAge(181)
    await runJob()
    await two.addPhoto()
    expect(await current()).toMatchObject({ faces_ended_at: null, photos_stored: 5, photos_settled: 0 })
    await expect(two.indexWaiting('embedded')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    await two.clearAll('embedded')
    await two.indexWaiting('embedded')
    expect(await findsNow()).toEqual(two.EACH_IN_ITS_PHOTO)
    expect(await two.facesIn('embedded')).toBe(5)
    await runJob()
    expect((await current()).faces_ended_at).toBeNull()
  })

  test('the command has them indexed again, in another engine, too', async () => {
    await end()
    await two.changeTo('rekognition')
    await runJob()
    await two.indexWaiting('rekognition')
    expect(await found()).toEqual(two.EACH_IN_ITS_PHOTO)
    await runJob()
    expect(await current()).toMatchObject({ faces_ended_at: null, engine: 'rekognition', photos_settled: 4 })
  })

  test('who has opted out stays out, and who has taken that back is found', async () => {
    await optOutOf(0)
    const receipt = await optOutOf(1)
    await optOutOf(2)
    await tellOwners(domain.db)
    await domain.db
      .updateTable('opt_outs')
      .set({ erase_at: new Date(0) })
      .execute()
    const erased = domain.db.selectFrom('opt_outs').select('id').orderBy('created_at').limit(1)
    await sql`update opt_outs set erase_at = now() + interval '1 hour' where id <> (${erased})`.execute(
      domain.db,
    )
    await eraseOptOuts(domain)
    await end()
    const places = await faceRows()
    expect(places.map(({ photo_id }) => photos.indexOf(photo_id)).sort()).toEqual([0, 1, 2])
    expect(places.every(({ confidence, descriptor }) => confidence === null && descriptor === null)).toBe(
      true,
    )
    await undoOptOut(domain, { receipt, address: two.GUEST.address })
    await two.indexWaiting('embedded')
    expect(await two.facesIn('embedded')).toBe(0)
    await two.reindexIn('embedded')
    expect(await findsNow()).toEqual([[], [1], [], [3]])
  })
})
