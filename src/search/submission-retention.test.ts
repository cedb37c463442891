import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { AppError } from '../errors.ts'
import { domainOfFile } from '../testing/domain.ts'
import { surelyFound } from '../testing/engine-answers.ts'
import { insertIndexedPhotos } from '../testing/indexed-photos.ts'
import { insertSubmission, recordOutcome, type SubmissionOutcome } from './queries.ts'
import { submissionPhotos, submissionResults } from './submission-results.ts'
import { matchSubmission, purgeSubmissions, selfieKey, withdrawSubmission } from './submissions.ts'

const domain = await domainOfFile()

const album = await domain.newAlbum()
const [photoId] = (await insertIndexedPhotos(domain.db, album.id, 1)) as [string]
beforeEach(async () => {
  await domain.db.deleteFrom('submissions').execute()
})

// What a process does with a submission, step by step: it may die after any of them.
const insertRow = () =>
  domain.db
    .transaction()
    .execute((trx) =>
      insertSubmission(trx, [{ albumId: album.id, passwordVersion: null, ownerKeyVersion: 1 }]),
    )
const writeSelfie = (id: string) => domain.storage.write(selfieKey(id), Buffer.from('a selfie'), 'image/jpeg')
const record = (id: string, outcome: SubmissionOutcome) =>
  domain.db.transaction().execute((trx) =>
    recordOutcome(trx, id, outcome, {
      sure: [{ faceId: randomUUID(), photoId, similarity: 90 }],
      possible: [],
    }),
  )
const deleteSelfie = (id: string) => domain.storage.delete(selfieKey(id))

const age = (id: string, minutes: number) =>
  domain.db
    .updateTable('submissions')
    .set({ created_at: sql<Date>`now() - make_interval(secs => ${minutes * 60})` })
    .where('id', '=', id)
    .execute()

const submission = (id: string) =>
  domain.db.selectFrom('submissions').selectAll().where('id', '=', id).executeTakeFirst()
const countMatches = async () =>
  (await domain.db.selectFrom('submission_matches').selectAll().execute()).length

describe('a selfie three minutes old', () => {
  test.each([
    ['the row was made', [], 'expired'],
    ['the selfie was stored', [writeSelfie], 'expired'],
    ['a match was recorded', [writeSelfie, (id: string) => record(id, 'matched')], 'matched'],
    ['no face was recorded', [writeSelfie, (id: string) => record(id, 'no_face')], 'no_face'],
    ['the selfie was deleted', [writeSelfie, (id: string) => record(id, 'matched'), deleteSelfie], 'matched'],
  ])('is gone when its process died after %s', async (_what, steps, outcome) => {
    const id = await insertRow()
    for (const step of steps) await step(id)
    await age(id, 3.1)
    await purgeSubmissions(domain)
    expect(await domain.storage.count('selfies/')).toBe(0)
    expect(await submission(id)).toMatchObject({ outcome, selfie_deleted_at: expect.any(Date) })
  })

  test('is no longer matched by a job that runs late', async () => {
    const id = await insertRow()
    await writeSelfie(id)
    await age(id, 3.1)
    const search = async () => {
      await purgeSubmissions(domain)
      return surelyFound([['album', [{ faceId: photoId, photoId, similarity: 99 }]]])
    }
    await matchSubmission({ ...domain, threshold: 80, faces: { search } as never }, id)
    expect(await submission(id)).toMatchObject({ outcome: 'expired' })
    expect(await countMatches()).toBe(0)
  })

  test('is deleted although another one cannot be deleted, which is tried again', async () => {
    const [stuck, other] = [await insertRow(), await insertRow()]
    for (const id of [stuck, other]) {
      await writeSelfie(id)
      await age(id, 3.1)
    }
    const away = new AppError('SERVICE_UNAVAILABLE', 'The storage is unavailable')
    const storage = {
      ...domain.storage,
      delete: (key: string) => (key === selfieKey(stuck) ? Promise.reject(away) : domain.storage.delete(key)),
    }
    await expect(purgeSubmissions({ ...domain, storage })).rejects.toThrow(AggregateError)
    expect(await domain.storage.exists(selfieKey(other))).toBe(false)
    expect(await submission(stuck)).toMatchObject({ selfie_deleted_at: null })
    await purgeSubmissions(domain)
    expect(await domain.storage.count('selfies/')).toBe(0)
  })
})

test('a selfie younger than three minutes is left to be matched', async () => {
  const id = await insertRow()
  await writeSelfie(id)
  await age(id, 2.9)
  await purgeSubmissions(domain)
  expect(await domain.storage.exists(selfieKey(id))).toBe(true)
  expect(await submission(id)).toMatchObject({ outcome: null, selfie_deleted_at: null })
  await withdrawSubmission(domain, id)
})

test('a submission is kept for an hour, and then deleted with its matches and its selfie', async () => {
  const id = await insertRow()
  await record(id, 'matched')
  await age(id, 59)
  await purgeSubmissions(domain)
  expect(await submissionResults(domain, id, '')).toMatchObject({ processed: true, totalMatches: 1 })
  expect(await countMatches()).toBe(1)

  await age(id, 61)
  for (const ask of [
    () => submissionResults(domain, id, ''),
    () => submissionPhotos(domain, { id }, ''),
    () => withdrawSubmission(domain, id),
  ])
    await expect(ask()).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await writeSelfie(id)
  await purgeSubmissions(domain)
  expect(await submission(id)).toBeUndefined()
  expect(await countMatches()).toBe(0)
  expect(await domain.storage.count('selfies/')).toBe(0)
})

describe('withdrawing a submission', () => {
  test('removes row, matches and selfie', async () => {
    const id = await insertRow()
    await writeSelfie(id)
    await record(id, 'matched')
    await withdrawSubmission(domain, id)
    expect(await submission(id)).toBeUndefined()
    expect(await countMatches()).toBe(0)
    expect(await domain.storage.count('selfies/')).toBe(0)
  })

  test('keeps the row as long as the bytes cannot be deleted', async () => {
    const id = await insertRow()
    await writeSelfie(id)
    const away = new AppError('SERVICE_UNAVAILABLE', 'The storage is unavailable')
    const storage = { ...domain.storage, delete: () => Promise.reject(away) }
    await expect(withdrawSubmission({ ...domain, storage }, id)).rejects.toBe(away)
    expect(await submission(id)).toBeDefined()
    await withdrawSubmission(domain, id)
  })

  test('works once, also for two simultaneous calls', async () => {
    const id = await insertRow()
    const outcomes = await Promise.allSettled([
      withdrawSubmission(domain, id),
      withdrawSubmission(domain, id),
    ])
    expect(outcomes.map((outcome) => outcome.status).sort()).toEqual(['fulfilled', 'rejected'])
    await expect(withdrawSubmission(domain, id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })
})
