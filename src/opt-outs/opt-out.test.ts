import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { coverageOf } from '../albums/coverage.ts'
import { eraseAlbum } from '../albums/erase.ts'
import { findAlbum } from '../albums/queries.ts'
import { COMMAND_LINE, eventsOfAlbum } from '../audit/audit-log.ts'
import { AppError } from '../errors.ts'
import { indexPhotos } from '../jobs/index-photos.ts'
import { removeFaces } from '../jobs/removals.ts'
import { eraseOptOuts } from '../jobs/retention.ts'
import { peopleKeptOut } from '../photos/face-queries.ts'
import { tellOwners } from '../testing/mailbox.ts'
import { imageHash, numberedPicture } from '../testing/rekognition/recogniser.ts'
import * as two from '../testing/two-engines.ts'
import { album, deps, domain, engines, found, photos, rows } from '../testing/two-engines.ts'
import { type OptOutRequest, optOut } from './opt-out.ts'
import { answerOptOuts, listOptOuts } from './owner-answers.ts'
import { optOutsOfAlbum } from './queries.ts'
import { readReceipt, undoOptOut, undoOptOuts } from './undo-or-erase.ts'

two.indexAlbumForEachTest()

async function ask(place: number, request: Partial<OptOutRequest> = {}, process = deps('embedded')) {
  const faceIds = await two.facesOf(photos[place]!)
  return await optOut(process, album, { faceIds, hidePhotos: false, keepOut: false, ...request }, two.GUEST)
}
const undo = (receipt: string) => undoOptOut(domain, { receipt, address: two.GUEST.address })
const read = (receipt: string) => readReceipt(domain, { receipt, address: two.GUEST.address })
const states = async () => (await optOutsOfAlbum(domain.db, album.id)).map(({ state }) => state)
const optOutIds = async () => (await optOutsOfAlbum(domain.db, album.id)).map(({ id }) => id)
const revoke = async () => await undoOptOuts(domain, album, await optOutIds(), COMMAND_LINE)
const events = async () =>
  (await eventsOfAlbum(domain, album.id)).map(({ event, role }) => `${event} by ${role}`)

/** Lets 72 hours pass, and the jobs run that are due then. */
async function pass72Hours(process = deps('embedded'), isOwnerTold = true): Promise<void> {
  if (isOwnerTold) await tellOwners(domain.db)
  await sql`update opt_outs set erase_at = erase_at - interval '72 hours'`.execute(domain.db)
  for (let times = 0; times < 2; times++) await eraseOptOuts.run(process, {}, { attempt: 1 })
}
async function removeErased(process = deps('embedded')): Promise<void> {
  for (const job of await domain.waiting('remove-faces')) await removeFaces.run(process, job, { attempt: 1 })
}

const FIRST_IS_OUT = [[], [1], [2], [3]]

describe('a guest who opts out', () => {
  test('is hidden at once, while every count and every reason stays as it was', async () => {
    const coverage = async () => await coverageOf(domain.db, (await findAlbum(domain.db, album))!)
    const before = { counters: await two.counters(), rows: await rows(), coverage: await coverage() }
    expect(await found(deps('embedded'))).toEqual(two.EACH_IN_ITS_PHOTO)
    expect(await ask(0)).toMatchObject({ faces: 1, state: 'active', photosToHide: 0, isKeptOut: false })
    expect(await found(deps('embedded'))).toEqual(FIRST_IS_OUT)
    expect(await two.facesIn('embedded')).toBe(4)
    expect(await two.counters()).toEqual(before.counters)
    const after = { ...before.coverage, facesOptedOut: 1 }
    expect([await rows(), await coverage()]).toEqual([before.rows, after])
    await pass72Hours()
    expect([await rows(), await coverage()]).toEqual([before.rows, after])
  })

  test('can undo it within 72 hours, also twice', async () => {
    const { receipt, eraseAt, at } = await ask(0)
    expect(Date.parse(eraseAt) - Date.parse(at)).toBe(72 * 3_600_000)
    expect(await read(receipt)).toMatchObject({ state: 'active', albumName: album.slug })
    for (let times = 0; times < 2; times++) expect(await undo(receipt)).toMatchObject({ state: 'undone' })
    expect(await found(deps('embedded'))).toEqual(two.EACH_IN_ITS_PHOTO)
    await pass72Hours()
    expect(await found(deps('embedded'))).toEqual(two.EACH_IN_ITS_PHOTO)
    expect((await events()).slice(-2)).toEqual(['guest opted out by guest', 'opt-out undone by guest'])
  })

  test('is erased after 72 hours, and can undo it no longer', async () => {
    const { receipt } = await ask(0)
    await eraseOptOuts.run(deps('embedded'), {}, { attempt: 1 })
    expect(await states()).toEqual(['active'])
    const before = Date.now()
    await pass72Hours()
    await removeErased()
    expect(await two.facesIn('embedded')).toBe(3)
    expect(await two.counters()).toMatchObject({ faces_found: 4, rows: 4 })
    await expect(undo(receipt)).rejects.toMatchObject({ code: 'CONFLICT' })
    const { state, eraseAt } = await read(receipt)
    expect(state).toBe('erased')
    // Not when it was planned.
    expect(Date.parse(eraseAt)).toBeGreaterThanOrEqual(before)
    expect(await revoke()).toEqual([])
    expect(await found(deps('embedded'))).toEqual(FIRST_IS_OUT)
  })

  test.each([
    { name: 'active', isErased: false },
    { name: 'erased', isErased: true },
  ])(
    'stays out, $name, when the album is indexed again, in the same engine and in another one',
    async ({ isErased }) => {
      const { receipt } = await ask(0)
      if (isErased) await pass72Hours()
      await two.reindexIn('embedded')
      expect(await found(deps('embedded'))).toEqual(FIRST_IS_OUT)
      await two.changeTo('rekognition')
      expect(await found()).toEqual([[], [], [], []])
      await two.indexWaiting('rekognition')
      expect(await found()).toEqual(FIRST_IS_OUT)
      await two.clearAll('rekognition')
      expect(await two.counters()).toMatchObject({ faces_found: 4, rows: 4 })
      if (isErased) {
        await removeErased(deps('rekognition'))
        expect([await two.facesIn('embedded'), await two.facesIn('rekognition')]).toEqual([0, 3])
      } else {
        await undo(receipt)
        expect(await found()).toEqual(two.EACH_IN_ITS_PHOTO)
      }
    },
  )

  test('stays out of a photo that another engine could not index at first', async () => {
    await ask(0)
    await pass72Hours()
    const index = engines.rekognition.indexPhoto
    engines.rekognition.indexPhoto = async () => {
      throw new AppError('UNPROCESSABLE_CONTENT', 'Unreadable')
    }
    await two.reindexIn('rekognition')
    expect((await rows()).map(({ state }) => state)).toEqual(photos.map(() => 'given_up'))
    engines.rekognition.indexPhoto = index
    await two.reindexIn('rekognition')
    expect(await found()).toEqual(FIRST_IS_OUT)
    expect(await two.counters()).toMatchObject({ faces_found: 4, rows: 4 })
  })

  test('can undo it until a letter could tell the owner', async () => {
    const { receipt } = await ask(0)
    await pass72Hours(deps('embedded'), false)
    expect(await states()).toEqual(['active'])
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
    expect(await two.facesIn('embedded')).toBe(3)
  })

  test('is refused a second time, and nobody else is hidden by faces of another album', async () => {
    const faceIds = await two.facesOf(photos[0]!)
    const request = { faceIds, hidePhotos: false, keepOut: false }
    const other = await domain.newAlbum('Other')
    await expect(optOut(deps('embedded'), other, request, two.GUEST)).rejects.toMatchObject({
      code: 'CONFLICT',
    })
    expect(await found(deps('embedded'))).toEqual(two.EACH_IN_ITS_PHOTO)
    await optOut(deps('embedded'), album, request, two.GUEST)
    await expect(optOut(deps('embedded'), album, request, two.GUEST)).rejects.toMatchObject({
      code: 'CONFLICT',
    })
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
    expect(await domain.db.selectFrom('opt_outs').select('album_id').execute()).toEqual([])
    await expect(read(receipt)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await pass72Hours()
  })
})

test('an opt-out is shown to no owner of another album, and changed by none', async () => {
  await ask(0)
  const other = await domain.newAlbum('Other')
  expect((await listOptOuts(domain, other, '')).optOuts).toEqual([])
  const ids = (await listOptOuts(domain, (await findAlbum(domain.db, album))!, '')).optOuts.map(
    ({ id }) => id,
  )
  const owner = { role: 'owner', address: '10.0.0.1' } as const
  for (const change of ['revoke', 'hide'] as const)
    await answerOptOuts(domain, other, { ids, change }, owner, '')
  expect(await states()).toEqual(['active'])
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
    two.persons.set(imageHash(picture), [0])
    await two.upload([picture])
    const last = (await rows()).find(({ state }) => state === 'stored')!
    for (const attempt of [1, 2]) await indexPhotos.run(deps('embedded'), { photoId: last.id }, { attempt })
    photos.push(last.id)
  }

  test('is left out of them, and they count like others', async () => {
    leaveOutPersons()
    expect(await ask(0, { keepOut: true })).toMatchObject({ isKeptOut: true })
    await addLaterPhoto()
    expect(await two.counters()).toMatchObject({ photos_settled: 5, faces_found: 5, rows: 5 })
    const current = (await findAlbum(domain.db, album))!
    expect(await coverageOf(domain.db, current)).toMatchObject({ facesOptedOut: 1, photosOfNobody: 0 })
  })

  test.each([
    ['the guest undoes it', (receipt: string) => undo(receipt)],
    ['the owner revokes it', () => revoke()],
  ])('is found in them again when %s', async (_who, takeBack) => {
    leaveOutPersons()
    const { receipt } = await ask(0, { keepOut: true })
    await addLaterPhoto()
    await two.reindexIn('embedded')
    expect((await found(deps('embedded')))[0]).toEqual([])
    await takeBack(receipt)
    expect(await states()).toEqual(['undone'])
    expect(await peopleKeptOut(domain.db, album.id)).toEqual([])
    await two.indexWaiting('embedded')
    expect((await found(deps('embedded')))[0]!.toSorted()).toEqual([0, 4])
    expect(await two.counters()).toMatchObject({ faces_found: 5, rows: 5 })
  })

  test('is left out of a photo that was being indexed while they asked', async () => {
    engines.embedded.describePerson = async () => Buffer.from('person 0')
    const index = engines.embedded.indexPhoto
    engines.embedded.indexPhoto = async (...call) => {
      const answer = await index(...call)
      await ask(0, { keepOut: true })
      return answer
    }
    await two.upload([await numberedPicture(78)])
    const last = (await rows()).find(({ state }) => state === 'stored')!
    const run = (attempt: number) => indexPhotos.run(deps('embedded'), { photoId: last.id }, { attempt })
    await expect(run(1)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    engines.embedded.indexPhoto = index
    await run(2)
    expect((await rows()).every(({ state }) => state === 'indexed')).toBe(true)
  })
})

describe('the limits of an hour', () => {
  /** A photo with 102 people. */
  async function crowd(): Promise<string[]> {
    const picture = await numberedPicture(91)
    two.persons.set(
      imageHash(picture),
      Array.from({ length: 102 }, (_, person) => 100 + person),
    )
    await two.upload([picture])
    const { id: photoId } = (await rows()).find(({ state }) => state === 'stored')!
    await indexPhotos.run(deps('embedded'), { photoId }, { attempt: 1 })
    return await two.facesOf(photoId)
  }
  const askFor = (faceIds: string[], address: string = two.GUEST.address, keepOut = false) =>
    optOut(deps('embedded'), album, { faceIds, hidePhotos: false, keepOut }, { ...two.GUEST, address })
  const tooMany = { code: 'TOO_MANY_REQUESTS' }

  test('one caller takes out 20 faces, all together 30: nothing waits, and after an hour there may be more', async () => {
    const people = await crowd()
    await expect(askFor(people)).rejects.toMatchObject({ code: 'UNPROCESSABLE_CONTENT' })
    expect(await askFor(people.slice(0, 20))).toMatchObject({ state: 'active', faces: 20 })
    await expect(askFor(people.slice(20, 21))).rejects.toMatchObject(tooMany)
    await askFor(people.slice(20, 30), '198.51.100.7')
    await expect(askFor(people.slice(30, 31), '192.0.2.7')).rejects.toMatchObject(tooMany)
    expect(await states()).toEqual(['active', 'active'])
    await sql`update opt_outs set created_at = created_at - interval '1 hour'`.execute(domain.db)
    await eraseOptOuts.run(deps('embedded'), {}, { attempt: 1 })
    const hashes = await domain.db.selectFrom('opt_outs').select('caller_hash').execute()
    expect(hashes.map(({ caller_hash }) => caller_hash)).toEqual([null, null])
    expect(await askFor(people.slice(30, 50))).toMatchObject({ faces: 20 })
  })

  test('what a guest undoes is not counted, what the owner revokes is', async () => {
    const people = (await crowd()).slice(0, 15)
    await undo((await askFor(people)).receipt)
    await askFor(people)
    await revoke()
    await expect(askFor(people)).rejects.toMatchObject(tooMany)
  })
})
