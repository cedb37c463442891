import { afterEach, describe, expect, test } from 'vitest'
import { COMMAND_LINE, eventsOfAlbum } from '../audit/audit-log.ts'
import { AppError } from '../errors.ts'
import { indexPhotos } from '../jobs/index-photos.ts'
import { removeFaces } from '../jobs/remove-faces.ts'
import { createPhotoLinks } from '../photos/links.ts'
import { findLinkedPhoto, indexedPhotos } from '../photos/queries.ts'
import { countHiddenPhotos, peopleTakenOut } from '../photos/taken-out-queries.ts'
import { queues } from '../queues/queues.ts'
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
import { coverageOf } from './coverage.ts'
import { eraseAlbum } from './erase.ts'
import { reindexAlbum } from './move.ts'
import { setChosenEngine } from './move-queries.ts'
import { countIndexed, findAlbum } from './queries.ts'
import { RATE_LIMITS } from './rate-limits.ts'
import { type TakeOutWish, takeOut } from './take-out.ts'
import { answerWish, readWish, showAllPhotos } from './wish-answers.ts'
import { wishLinks } from './wish-links.ts'

indexAlbumForEachTest()
afterEach(async () => {
  await domain.db.deleteFrom('taken_out_faces').execute()
  await domain.jobs.dropWaiting(queues.removeFaces)
})

const GUEST = { role: 'guest', sessionId: 'of a guest', address: '203.0.113.7' } as const
const facesOf = async (photoId: string) =>
  (await domain.db.selectFrom('faces').select('id').where('photo_id', '=', photoId).execute()).map(
    ({ id }) => id,
  )

async function take(place: number, wish: Partial<TakeOutWish> = {}, process = deps('embedded')) {
  const faceIds = await facesOf(photos[place]!)
  return await takeOut(process, album, { faceIds, hidePhotos: false, keepOut: false, ...wish }, GUEST)
}

const FIRST_IS_OUT = [[], [1], [2], [3]]

describe('a guest who is taken out', () => {
  test('is found no more, and the photo and all counters agree', async () => {
    expect(await found(deps('embedded'))).toEqual(EACH_IN_ITS_PHOTO)
    expect(await take(0)).toMatchObject({ facesRemoved: 1, photosToHide: 0, isKeptOut: false })
    expect(await found(deps('embedded'))).toEqual(FIRST_IS_OUT)
    expect(await facesIn('embedded')).toBe(3)
    expect(await counters()).toMatchObject({ photos_stored: 4, photos_settled: 4, faces_found: 3, rows: 3 })
    expect((await rows()).map(({ state, face_count }) => [state, face_count])).toEqual([
      ['indexed', 0],
      ...photos.slice(1).map(() => ['indexed', 1]),
    ])
    const current = (await findAlbum(domain.db, album))!
    expect(await coverageOf(domain.db, current)).toMatchObject({ facesFound: 3, facesTakenOut: 1 })
  })

  test('stays out when the album is indexed again, and when it moves to another engine', async () => {
    await take(0)
    await setChosenEngine(domain.db, 'embedded')
    await reindexAlbum(domain, album.id)
    for (const photo of photos) await move(photo, 'embedded')
    expect(await found(deps('embedded'))).toEqual(FIRST_IS_OUT)
    for (const photo of photos) await move(photo)
    expect(await found()).toEqual(FIRST_IS_OUT)
    expect(await counters()).toMatchObject({ faces_found: 3, rows: 3 })
    // The photo was indexed again, so its face is in both collections until the jobs have run.
    for (const job of await domain.waiting('remove-faces'))
      await removeFaces.run(deps('rekognition'), job, { attempt: 1 })
    expect([await facesIn('embedded'), await facesIn('rekognition')]).toEqual([3, 3])
  })

  test('is not found while the engine is unavailable, and the job removes the face later', async () => {
    const { removeFaces: remove } = engines.embedded
    engines.embedded.removeFaces = async () => {
      throw new AppError('SERVICE_UNAVAILABLE', 'Not now')
    }
    await take(0)
    expect(await facesIn('embedded')).toBe(4)
    expect(await found(deps('embedded'))).toEqual(FIRST_IS_OUT)
    engines.embedded.removeFaces = remove
    const [job] = await domain.waiting('remove-faces')
    await removeFaces.run(deps('embedded'), job, { attempt: 1 })
    expect(await facesIn('embedded')).toBe(3)
  })

  test('is removed from the former engine, too, as soon as that is available', async () => {
    for (const photo of photos) await move(photo)
    isUnavailable.embedded = true
    await take(0, {}, deps('rekognition'))
    expect(await found()).toEqual(FIRST_IS_OUT)
    const [job] = await domain.waiting('remove-faces')
    await expect(removeFaces.run(deps('rekognition'), job, { attempt: 1 })).rejects.toThrow('unavailable')
    isUnavailable.embedded = false
    await removeFaces.run(deps('rekognition'), job, { attempt: 2 })
    // The former engine has the face under another id. It is out of every search until the collection is removed.
    expect(await found()).toEqual(FIRST_IS_OUT)
  })

  test('is refused a second time, and nobody else is removed by faces of another album', async () => {
    const faceIds = await facesOf(photos[0]!)
    const wish = { faceIds, hidePhotos: false, keepOut: false }
    const other = await domain.newAlbum('Other')
    await expect(takeOut(deps('embedded'), other, wish, GUEST)).rejects.toMatchObject({ code: 'CONFLICT' })
    expect(await found(deps('embedded'))).toEqual(EACH_IN_ITS_PHOTO)
    await takeOut(deps('embedded'), album, wish, GUEST)
    await expect(takeOut(deps('embedded'), album, wish, GUEST)).rejects.toMatchObject({ code: 'CONFLICT' })
    expect(await counters()).toMatchObject({ faces_found: 3 })
  })

  test('is in the audit log without personal data, and nothing of the wish is left when the album is erased', async () => {
    engines.embedded.describePerson = async () => Buffer.from('a description')
    const { receipt } = await take(0, { hidePhotos: true, keepOut: true })
    expect((await eventsOfAlbum(domain, album.id)).map(({ event, role }) => [event, role])).toContainEqual([
      'guest taken out',
      'guest',
    ])
    const [person] = await peopleTakenOut(domain.db, album.id)
    expect(person!.id).toBe(receipt)
    expect(person!.person_cipher.toString('latin1')).not.toContain(
      Buffer.from('a description').toString('base64'),
    )
    const remains = await eraseAlbum(deps('embedded'), album.id, COMMAND_LINE)
    expect(remains).toEqual({ rowsRemaining: 0, filesRemaining: 0, facesRemaining: 0 })
    for (const table of ['take_outs', 'people_taken_out', 'taken_out_faces'] as const)
      expect(await domain.db.selectFrom(table).select('album_id').execute()).toEqual([])
  })
})

describe('a guest who wants to stay out of later photos', () => {
  test('is left out of them, and the coverage counts the face', async () => {
    engines.embedded.describePerson = async () => Buffer.from('person 0')
    expect(await take(0, { keepOut: true })).toMatchObject({ isKeptOut: true })
    const index = engines.embedded.indexPhoto
    const asked: unknown[] = []
    engines.embedded.indexPhoto = async (albumId, photoId, source, options) => {
      asked.push(options?.without?.map(String))
      const { faces } = await index(albumId, photoId, source, options)
      return { faces: [], unindexed: [], leftOut: faces.map(({ box }) => box) }
    }
    const picture = await numberedPicture(77)
    persons.set(imageHash(picture), [0])
    await upload([picture])
    const last = (await rows()).find(({ state }) => state === 'stored')!
    for (const attempt of [1, 2]) await indexPhotos.run(deps('embedded'), { photoId: last.id }, { attempt })
    expect(asked[0]).toEqual(['person 0'])
    expect(await counters()).toMatchObject({ photos_settled: 5, faces_found: 3, rows: 3 })
    const current = (await findAlbum(domain.db, album))!
    expect((await coverageOf(domain.db, current)).facesTakenOut).toBe(2)
  })

  test('is left out of a photo that was being indexed while they asked', async () => {
    engines.embedded.describePerson = async () => Buffer.from('person 0')
    const index = engines.embedded.indexPhoto
    engines.embedded.indexPhoto = async (...call) => {
      const answer = await index(...call)
      await take(0, { keepOut: true })
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

describe('photos that a guest wants to be hidden', () => {
  const SITE = 'https://photos.example.com'
  const answerDeps = () => ({ ...domain, limits: RATE_LIMITS, links: createPhotoLinks(domain) })

  async function ask(...places: number[]) {
    const faceIds = (await Promise.all(places.map((place) => facesOf(photos[place]!)))).flat()
    const { receipt } = await takeOut(
      deps('embedded'),
      album,
      { faceIds, hidePhotos: true, keepOut: false },
      GUEST,
    )
    const token = wishLinks(domain.keyring, SITE, album, receipt).yes.split('=')[1]!
    const question = { token, address: '10.0.0.1' }
    return {
      read: () => readWish(answerDeps(), question, SITE),
      answer: (answer: 'hide' | 'show') => answerWish(answerDeps(), { ...question, answer }, SITE),
    }
  }
  const shown = async () =>
    (await indexedPhotos(domain.db, album.id, photos)).map(({ id }) => photos.indexOf(id)).sort()

  test('are shown until the owner says yes, and again after the owner says no', async () => {
    const wish = await ask(0, 1)
    expect(await wish.read()).toMatchObject({ count: 2, answer: null, displayName: album.display_name })
    expect((await wish.read()).thumbUrls).toHaveLength(2)
    expect(await shown()).toEqual([0, 1, 2, 3])
    for (let times = 0; times < 2; times++)
      expect(await wish.answer('hide')).toMatchObject({ answer: 'hide', thumbUrls: [] })
    expect(await shown()).toEqual([2, 3])
    expect(await findLinkedPhoto(domain.db, photos[0]!)).toBeUndefined()
    const current = (await findAlbum(domain.db, album))!
    expect(await coverageOf(domain.db, current)).toMatchObject({ photosHidden: 2, photosSearchable: 2 })
    expect(await countIndexed(domain.db, current)).toBe(2)
    await wish.answer('show')
    expect(await shown()).toEqual([0, 1, 2, 3])
    const events = (await eventsOfAlbum(domain, album.id)).map(({ event }) => event)
    expect(events.slice(-2)).toEqual(['photos hidden', 'photos shown again'])
  })

  test('stay hidden when they are indexed again', async () => {
    const wish = await ask(0)
    await wish.answer('hide')
    for (const photo of photos) await move(photo)
    expect(await shown()).toEqual([1, 2, 3])
  })

  test('stay hidden for one guest when the owner shows those of another', async () => {
    const first = await ask(0, 1)
    await first.answer('hide')
    await domain.db
      .insertInto('take_outs')
      .values({ album_id: album.id, faces: 1, photos_to_hide: [photos[1]!] })
      .execute()
    await domain.db.updateTable('take_outs').set({ answer: 'hide' }).execute()
    await first.answer('show')
    expect(await shown()).toEqual([0, 2, 3])
    expect(await showAllPhotos(domain, album, COMMAND_LINE)).toBe(1)
    expect(await countHiddenPhotos(domain.db, album.id)).toBe(0)
  })

  test('cannot be hidden with a forged link', async () => {
    await ask(0)
    const forged = Buffer.alloc(32).toString('base64url')
    const answer = { token: forged, address: '10.0.0.1', answer: 'hide' } as const
    await expect(answerWish(answerDeps(), answer, SITE)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(await shown()).toEqual([0, 1, 2, 3])
  })
})
