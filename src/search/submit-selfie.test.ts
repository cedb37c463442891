import sharp from 'sharp'
import { beforeEach, describe, expect, test } from 'vitest'
import { findAlbum } from '../albums/queries.ts'
import type { Album } from '../database/schema.ts'
import { AppError } from '../errors.ts'
import type { FileStorage } from '../storage/file-storage.ts'
import { readSample } from '../testing/client.ts'
import { domainOfFile } from '../testing/domain.ts'
import { insertIndexedPhotos } from '../testing/indexed-photos.ts'
import { waitUntil } from '../testing/wait.ts'
import { recordOutcome } from './queries.ts'
import { forgetSelfie, selfieKey, submitSelfie } from './submissions.ts'

const domain = await domainOfFile()
let album: Album
beforeEach(async () => {
  const { id } = await domain.newAlbum()
  await insertIndexedPhotos(domain.db, id, 1)
  album = (await findAlbum(domain.db, { id }))!
  await domain.db.deleteFrom('submissions').execute()
  await domain.dropWaiting('match-selfie')
})
const selfie = await sharp(await readSample(1))
  .resize(400)
  .toBuffer()

const STAYS = new AbortController().signal

/** Submits a selfie. Nobody waits for the outcome. */
const submit = (storage: FileStorage = domain.storage, isOwner = false) =>
  submitSelfie({ ...domain, storage, selfieWaitMs: 0 }, [{ album, isOwner }], selfie, STAYS)

const rows = () => domain.db.selectFrom('submissions').selectAll().execute()
const jobs = () => domain.waiting('match-selfie')

describe('submitting a selfie', () => {
  test('stores it and asks for it to be matched', async () => {
    const id = (await submit())!
    expect(await rows()).toMatchObject([{ id, outcome: null, selfie_deleted_at: null }])
    expect(await jobs()).toEqual([{ submissionId: id }])
    expect(await domain.storage.read(selfieKey(id))).toEqual(selfie)
  })

  test('stores the password version of a guest, and none for the owner', async () => {
    const [guest, owner] = [await submit(), await submit(domain.storage, true)]
    const versions = await domain.db
      .selectFrom('submission_albums')
      .select(['submission_id', 'password_version'])
      .execute()
    expect(Object.fromEntries(versions.map((row) => [row.submission_id, row.password_version]))).toEqual({
      [guest!]: album.password_version,
      [owner!]: null,
    })
  })

  test('has a row before the first byte is stored', async () => {
    const known: number[] = []
    await submit({
      ...domain.storage,
      async write(...file) {
        known.push((await rows()).length)
        await domain.storage.write(...file)
      },
    })
    expect(known).toEqual([1])
  })

  test('leaves its row to the purge when storage is unavailable, and is not matched', async () => {
    const away = new AppError('SERVICE_UNAVAILABLE', 'The storage is unavailable')
    await expect(submit({ ...domain.storage, write: () => Promise.reject(away) })).rejects.toBe(away)
    expect(await rows()).toMatchObject([{ selfie_deleted_at: null }])
    expect(await jobs()).toEqual([])
  })

  test('deletes a selfie that is stored only after the purge of its row', async () => {
    const late: FileStorage = {
      ...domain.storage,
      async write(...file) {
        for (const { id } of await rows()) await forgetSelfie(domain, id)
        await domain.storage.write(...file)
      },
    }
    await expect(submit(late)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    expect(await domain.storage.exists(selfieKey((await rows())[0]!.id))).toBe(false)
    expect(await jobs()).toEqual([])
  })
})

test('the answer to a selfie names the results as soon as the outcome is recorded', async () => {
  /** Waits for the job, and records an outcome as the job does. */
  async function recordWhenQueued(): Promise<string> {
    const { submissionId } = await waitUntil(
      'the job',
      async () => (await jobs())[0] as { submissionId: string },
    )
    await domain.db.transaction().execute((trx) => recordOutcome(trx, submissionId, 'matched'))
    return submissionId
  }
  // More than any test may take, so that only an outcome ends the wait.
  const deps = { ...domain, selfieWaitMs: 60_000 }
  const answer = submitSelfie(deps, [{ album, isOwner: true }], selfie, STAYS)
  const [id, recorded] = await Promise.all([answer, recordWhenQueued()])
  expect(id).toBe(recorded)
})
