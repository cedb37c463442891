import { sql } from 'kysely'
import { afterEach, describe, expect, test } from 'vitest'
import { coverageOf } from '../albums/coverage.ts'
import { eraseAlbum } from '../albums/erase.ts'
import { reindexAlbum } from '../albums/move.ts'
import { setChosenEngine } from '../albums/move-queries.ts'
import { findAlbum } from '../albums/queries.ts'
import { RATE_LIMITS } from '../albums/rate-limits.ts'
import { COMMAND_LINE, eventsOfAlbum } from '../audit/audit-log.ts'
import { AppError } from '../errors.ts'
import { indexPhotos } from '../jobs/index-photos.ts'
import { makeOptOutsPermanentInTime } from '../jobs/make-opt-outs-permanent.ts'
import { moveAlbumsEveryMinute } from '../jobs/move-albums.ts'
import { removeFaces } from '../jobs/remove-faces.ts'
import { optOutsLink } from '../letters/links.ts'
import { peopleKeptOut } from '../photos/opted-out-queries.ts'
import { queues } from '../queues/queues.ts'
import { tellOwners } from '../testing/mailbox.ts'
import {
  album,
  counters,
  deps,
  domain,
  EACH_IN_ITS_PHOTO,
  engines,
  facesIn,
  found,
  indexAlbumForEachTest,
  isUnavailable,
  move,
  persons,
  photos,
  rows,
  upload,
} from '../testing/moving-album.ts'
import { imageHash } from '../testing/rekognition/recogniser.ts'
import { numberedPicture } from '../testing/rekognition/table-faces.ts'
import { type Change, changeOptOuts } from './change-opt-out.ts'
import { type OptOutRequest, optOut } from './opt-out.ts'
import { optOutsOfAlbum } from './opt-out-queries.ts'
import { answerOptOuts, listOptOuts } from './owner-answers.ts'
import { readReceipt, undoOptOut } from './receipts.ts'

indexAlbumForEachTest()
afterEach(async () => {
  for (const queue of [queues.removeFaces, queues.sendLetter]) await domain.jobs.dropWaiting(queue)
  await domain.db.deleteFrom('rate_limits').execute()
})

const GUEST = { role: 'guest', sessionId: 'of a guest', address: '203.0.113.7' } as const
const withLimits = () => ({ ...domain, limits: RATE_LIMITS })
const facesOf = async (photoId: string) =>
  (await domain.db.selectFrom('faces').select('id').where('photo_id', '=', photoId).execute()).map(
    ({ id }) => id,
  )

async function ask(place: number, request: Partial<OptOutRequest> = {}, process = deps('embedded')) {
  const faceIds = await facesOf(photos[place]!)
  return await optOut(process, album, { faceIds, hidePhotos: false, keepOut: false, ...request }, GUEST)
}
const undo = (receipt: string) => undoOptOut(withLimits(), { receipt, address: GUEST.address })
const read = (receipt: string) => readReceipt(withLimits(), { receipt, address: GUEST.address })
const states = async () => (await optOutsOfAlbum(domain.db, album.id)).map(({ state }) => state)
const change = async (what: Change) =>
  await changeOptOuts(
    domain,
    album,
    (await optOutsOfAlbum(domain.db, album.id)).map(({ id }) => id),
    what,
    COMMAND_LINE,
  )
const events = async () =>
  (await eventsOfAlbum(domain, album.id)).map(({ event, role }) => `${event} by ${role}`)

/** Lets 72 hours pass, and the jobs run that are due then. */
async function pass72Hours(process = deps('embedded'), isOwnerTold = true): Promise<void> {
  if (isOwnerTold) await tellOwners(domain.db)
  await sql`update opt_outs set permanent_at = permanent_at - interval '72 hours'`.execute(domain.db)
  for (let times = 0; times < 2; times++) await makeOptOutsPermanentInTime.run(process, {}, { attempt: 1 })
}
async function removeErased(process = deps('embedded'), attempt = 1): Promise<void> {
  for (const job of await domain.waiting('remove-faces')) await removeFaces.run(process, job, { attempt })
}
async function indexAgain(): Promise<void> {
  await setChosenEngine(domain.db, 'embedded')
  await reindexAlbum(domain, album.id)
  for (const photo of photos) await move(photo, 'embedded')
}

const FIRST_IS_OUT = [[], [1], [2], [3]]

describe('a guest who opts out', () => {
  test('is hidden at once, while every count and every reason stays as it was', async () => {
    const coverage = async () => await coverageOf(domain.db, (await findAlbum(domain.db, album))!)
    const before = { counters: await counters(), rows: await rows(), coverage: await coverage() }
    expect(await found(deps('embedded'))).toEqual(EACH_IN_ITS_PHOTO)
    expect(await ask(0)).toMatchObject({ faces: 1, state: 'hidden', photosToHide: 0, isKeptOut: false })
    expect(await found(deps('embedded'))).toEqual(FIRST_IS_OUT)
    expect(await facesIn('embedded')).toBe(4)
    expect(await counters()).toEqual(before.counters)
    const after = { ...before.coverage, facesOptedOut: 1 }
    expect([await rows(), await coverage()]).toEqual([before.rows, after])
    await pass72Hours()
    expect([await rows(), await coverage()]).toEqual([before.rows, after])
  })

  test('can undo it within 72 hours, also twice', async () => {
    const { receipt, permanentAt, at } = await ask(0)
    expect(Date.parse(permanentAt!) - Date.parse(at)).toBe(72 * 3_600_000)
    expect(await read(receipt)).toMatchObject({ state: 'hidden', albumName: album.slug })
    for (let times = 0; times < 2; times++) expect(await undo(receipt)).toMatchObject({ state: 'undone' })
    expect(await found(deps('embedded'))).toEqual(EACH_IN_ITS_PHOTO)
    await pass72Hours()
    expect(await found(deps('embedded'))).toEqual(EACH_IN_ITS_PHOTO)
    expect((await events()).slice(-2)).toEqual(['guest opted out by guest', 'opt-out undone by guest'])
  })

  test('is erased after 72 hours, and can undo it no longer', async () => {
    const { receipt } = await ask(0)
    await makeOptOutsPermanentInTime.run(deps('embedded'), {}, { attempt: 1 })
    expect(await states()).toEqual(['hidden'])
    const before = Date.now()
    await pass72Hours()
    await removeErased()
    expect(await facesIn('embedded')).toBe(3)
    expect(await counters()).toMatchObject({ faces_found: 4, rows: 3 })
    await expect(undo(receipt)).rejects.toMatchObject({ code: 'CONFLICT' })
    const { state, permanentAt } = await read(receipt)
    expect(state).toBe('permanent')
    // Not when it was planned.
    expect(Date.parse(permanentAt!)).toBeGreaterThanOrEqual(before)
    expect(await change('revoke')).toEqual([])
    expect(await found(deps('embedded'))).toEqual(FIRST_IS_OUT)
  })

  test.each([
    { name: 'hidden', isPermanent: false },
    { name: 'permanent', isPermanent: true },
  ])(
    'stays out, $name, when the album is indexed again and moves to another engine',
    async ({ isPermanent }) => {
      const { receipt } = await ask(0)
      if (isPermanent) await pass72Hours()
      await indexAgain()
      expect(await found(deps('embedded'))).toEqual(FIRST_IS_OUT)
      for (const photo of photos) await move(photo)
      expect(await found()).toEqual(FIRST_IS_OUT)
      expect(await counters()).toMatchObject({ faces_found: 4, rows: isPermanent ? 3 : 4 })
      if (isPermanent) {
        for (const engine of ['embedded', 'rekognition'] as const) await removeErased(deps(engine))
        expect([await facesIn('embedded'), await facesIn('rekognition')]).toEqual([3, 3])
      } else {
        await undo(receipt)
        expect(await found()).toEqual(EACH_IN_ITS_PHOTO)
      }
    },
  )

  test('can undo it until a letter could tell the owner', async () => {
    const { receipt } = await ask(0)
    await pass72Hours(deps('embedded'), false)
    expect(await states()).toEqual(['hidden'])
    expect(await found(deps('embedded'))).toEqual(FIRST_IS_OUT)
    await undo(receipt)
    expect(await states()).toEqual(['undone'])
  })

  test('is not found while the engine is unavailable, and the job removes the face later', async () => {
    const { removeFaces: remove } = engines.embedded
    engines.embedded.removeFaces = async () => {
      throw new AppError('SERVICE_UNAVAILABLE', 'Not now')
    }
    await ask(0)
    await pass72Hours()
    await expect(removeErased()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    expect(await found(deps('embedded'))).toEqual(FIRST_IS_OUT)
    engines.embedded.removeFaces = remove
    await removeErased()
    expect(await facesIn('embedded')).toBe(3)
  })

  test('is removed from the former engine, too, as soon as that is available', async () => {
    for (const photo of photos) await move(photo)
    isUnavailable.embedded = true
    await ask(0, {}, deps('rekognition'))
    expect(await found()).toEqual(FIRST_IS_OUT)
    await pass72Hours(deps('rekognition'))
    await expect(removeErased(deps('rekognition'))).rejects.toThrow('unavailable')
    isUnavailable.embedded = false
    await removeErased(deps('rekognition'), 2)
    // The former engine has the face under another id. It is out of every search until the collection is removed.
    expect(await found()).toEqual(FIRST_IS_OUT)
  })

  test('is refused a second time, and nobody else is hidden by faces of another album', async () => {
    const faceIds = await facesOf(photos[0]!)
    const request = { faceIds, hidePhotos: false, keepOut: false }
    const other = await domain.newAlbum('Other')
    await expect(optOut(deps('embedded'), other, request, GUEST)).rejects.toMatchObject({ code: 'CONFLICT' })
    expect(await found(deps('embedded'))).toEqual(EACH_IN_ITS_PHOTO)
    await optOut(deps('embedded'), album, request, GUEST)
    await expect(optOut(deps('embedded'), album, request, GUEST)).rejects.toMatchObject({ code: 'CONFLICT' })
  })

  test('is in the audit log without personal data, and nothing is left when the album is erased', async () => {
    engines.embedded.describePerson = async () => Buffer.from('a description')
    const { receipt } = await ask(0, { hidePhotos: true, keepOut: true })
    const [person] = await peopleKeptOut(domain.db, album.id)
    expect(person!.person_cipher.toString('latin1')).not.toContain(
      Buffer.from('a description').toString('base64'),
    )
    const remains = await eraseAlbum(deps('embedded'), album, COMMAND_LINE)
    expect(remains).toEqual({ rowsRemaining: 0, filesRemaining: 0, facesRemaining: 0 })
    for (const table of ['opt_outs', 'opted_out_faces'] as const)
      expect(await domain.db.selectFrom(table).select('album_id').execute()).toEqual([])
    await expect(read(receipt)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await pass72Hours()
  })
})

describe('an opt-out', () => {
  test('of more faces than may be hidden at once waits for the owner, who says yes or no', async () => {
    const [yes, no] = [await numberedPicture(91), await numberedPicture(92)]
    for (const [place, picture] of [yes, no].entries())
      persons.set(
        imageHash(picture),
        Array.from({ length: 31 }, (_, person) => 100 + place * 100 + person),
      )
    await upload([yes, no])
    const crowds = (await rows()).filter(({ state }) => state === 'stored').map(({ id }) => id)
    for (const photoId of crowds) {
      await indexPhotos.run(deps('embedded'), { photoId }, { attempt: 1 })
      const request = { faceIds: await facesOf(photoId), hidePhotos: false, keepOut: false }
      expect(await optOut(deps('embedded'), album, request, GUEST)).toMatchObject({
        state: 'waiting',
        permanentAt: null,
        faces: 31,
      })
    }
    const isHidden = async (photoId: string) =>
      (
        await domain.db.selectFrom('faces').select('opt_out_id').where('photo_id', '=', photoId).execute()
      ).every(({ opt_out_id }) => opt_out_id !== null)
    expect(await Promise.all(crowds.map(isHidden))).toEqual([false, false])
    const token = optOutsLink(domain.keyring, '', album).split('#')[1]!
    const call = { token, address: '10.0.0.1' }
    const { optOuts } = await listOptOuts(withLimits(), call)
    const [later, earlier] = optOuts.map(({ id }) => id)
    await answerOptOuts(withLimits(), { ...call, ids: [earlier!], change: 'allow' })
    const answered = await answerOptOuts(withLimits(), { ...call, ids: [later!], change: 'refuse' })
    expect(answered.optOuts.map(({ state }) => state)).toEqual(['hidden', 'refused'])
    expect(Date.parse(answered.optOuts[0]!.permanentAt!)).toBeGreaterThan(Date.now() + 71 * 3_600_000)
    expect(await Promise.all(crowds.map(isHidden))).toEqual([true, false])
    expect((await events()).slice(-2)).toEqual(['opt-out allowed by owner', 'opt-out refused by owner'])
  })

  test("is not shown to a former owner, nor with another album's link", async () => {
    await ask(0)
    const link = (of: { id: string; email: string; owner_key_version: number }) =>
      optOutsLink(domain.keyring, '', of).split('#')[1]!
    const other = await domain.newAlbum('Other')
    const read = (token: string) => listOptOuts(withLimits(), { token, address: '10.0.0.1' })
    expect((await read(link(other))).optOuts).toEqual([])
    const { optOuts } = await read(link(album))
    const ids = optOuts.map(({ id }) => id)
    await answerOptOuts(withLimits(), { token: link(other), address: '10.0.0.1', ids, change: 'revoke' })
    expect(await states()).toEqual(['hidden'])
    for (const former of [
      { ...album, email: 'other@example.com' },
      { ...album, owner_key_version: album.owner_key_version + 1 },
    ])
      await expect(read(link(former))).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })
})

describe('a guest who wants to stay out of later photos', () => {
  /** The engine leaves person 0 out wherever it is asked to. */
  function leaveOutPersons() {
    engines.embedded.describePerson = async () => Buffer.from('person 0')
    const index = engines.embedded.indexPhoto
    engines.embedded.indexPhoto = async (albumId, photoId, source, options) => {
      const { faces, ...rest } = await index(albumId, photoId, source, options)
      if (!options?.without?.length) return { faces, ...rest }
      await engines.embedded.removeFaces(
        albumId,
        faces.map(({ faceId }) => faceId),
      )
      return { ...rest, faces: [], leftOut: faces.map(({ box }) => ({ box, person: 0 })) }
    }
  }

  async function addLaterPhoto(): Promise<void> {
    const picture = await numberedPicture(77)
    persons.set(imageHash(picture), [0])
    await upload([picture])
    const last = (await rows()).find(({ state }) => state === 'stored')!
    for (const attempt of [1, 2]) await indexPhotos.run(deps('embedded'), { photoId: last.id }, { attempt })
    photos.push(last.id)
  }

  test('is left out of them, and they count like others', async () => {
    leaveOutPersons()
    expect(await ask(0, { keepOut: true })).toMatchObject({ isKeptOut: true })
    await addLaterPhoto()
    expect(await counters()).toMatchObject({ photos_settled: 5, faces_found: 5, rows: 4 })
    const current = (await findAlbum(domain.db, album))!
    expect(await coverageOf(domain.db, current)).toMatchObject({ facesOptedOut: 1, photosWithoutFace: [] })
  })

  test.each(['undo', 'revoke'] as const)('is found in them again after: %s', async (what) => {
    leaveOutPersons()
    await ask(0, { keepOut: true })
    await addLaterPhoto()
    await indexAgain()
    expect((await found(deps('embedded')))[0]).toEqual([])
    expect(await change(what)).toHaveLength(1)
    expect(await peopleKeptOut(domain.db, album.id)).toEqual([])
    await moveAlbumsEveryMinute.run(deps('embedded'), {}, { attempt: 1 })
    for (const job of await domain.waiting('reindex-photos-embedded'))
      await move((job as { photoId: string }).photoId, 'embedded')
    expect((await found(deps('embedded')))[0]!.toSorted()).toEqual([0, 4])
    expect(await counters()).toMatchObject({ faces_found: 5, rows: 5 })
  })

  test('is left out of a photo that was being indexed while they asked', async () => {
    engines.embedded.describePerson = async () => Buffer.from('person 0')
    const index = engines.embedded.indexPhoto
    engines.embedded.indexPhoto = async (...call) => {
      const answer = await index(...call)
      await ask(0, { keepOut: true })
      return answer
    }
    await upload([await numberedPicture(78)])
    const last = (await rows()).find(({ state }) => state === 'stored')!
    const run = (attempt: number) => indexPhotos.run(deps('embedded'), { photoId: last.id }, { attempt })
    await expect(run(1)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    engines.embedded.indexPhoto = index
    await run(2)
    expect((await rows()).every(({ state }) => state === 'indexed')).toBe(true)
  })
})
