import { beforeEach, describe, expect, test } from 'vitest'
import { eraseAlbum } from '../albums/erase.ts'
import { ATTEMPTS_UNTIL_ENGINE_IS_LOST, moveAlbums } from '../albums/move.ts'
import { setChosenEngine } from '../albums/move-queries.ts'
import { settleIndexed } from '../albums/settle.ts'
import { uploadBatch } from '../albums/upload.ts'
import { COMMAND_LINE } from '../audit/audit-log.ts'
import { findFacesOfPhoto } from '../photos/index-faces.ts'
import { photosLike } from '../search/photos-like.ts'
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
  removeFrom,
  rows,
  services,
  warnings,
} from '../testing/moving-album.ts'
import { imageHash } from '../testing/rekognition/recogniser.ts'
import { numberedPicture } from '../testing/rekognition/table-faces.ts'
import { indexPhotos } from './index-photos.ts'

indexAlbumForEachTest()

async function photosOf(image: Buffer): Promise<string[]> {
  const { sure } = await photosLike(deps('rekognition'), [album.id], { selfies: [{ image }] })
  return sure.map(({ photoId }) => photoId)
}

const nothingRemains = { rowsRemaining: 0, filesRemaining: 0, facesRemaining: 0 }

describe('an album that moves to another engine', () => {
  test('is searchable at every moment, and ends with its former collection removed', async () => {
    const before = await counters()
    expect(before).toEqual({ photos_stored: 4, photos_settled: 4, faces_found: 4, rows: 4, isReady: true })
    const letters = (await domain.waiting('send-letter')).length
    await setChosenEngine(domain.db, 'rekognition')
    for (const photo of photos) {
      expect(await found()).toEqual(EACH_IN_ITS_PHOTO)
      await move(photo)
      await removeFrom('embedded', 'rekognition')
    }
    expect(await found()).toEqual(EACH_IN_ITS_PHOTO)
    expect(await counters()).toEqual(before)
    expect(await rows()).toMatchObject(photos.map(() => ({ state: 'indexed', engine: 'rekognition' })))
    expect([await facesIn('embedded'), await facesIn('rekognition')]).toEqual([0, 4])
    expect(warnings).toEqual([])
    expect(await domain.waiting('send-letter'), 'a move sends no letter').toHaveLength(letters)
  })

  test('sends one job that removes its former collection, when its last photo has moved', async () => {
    await setChosenEngine(domain.db, 'rekognition')
    for (const photo of photos) {
      await moveAlbums(deps('rekognition'))
      expect(await domain.waiting('remove-collection')).toEqual([])
      await move(photo)
    }
    await moveAlbums(deps('rekognition'))
    await moveAlbums(deps('rekognition'))
    expect(await domain.waiting('remove-collection')).toEqual([{ albumId: album.id, engine: 'embedded' }])
  })

  test('takes new photos into the new engine', async () => {
    const picture = await numberedPicture(99)
    persons.set(imageHash(picture), [9])
    await uploadBatch(domain, album, {}, [await domain.stage(picture, '9.jpg')])
    const fresh = (await rows()).at(-1)!
    await indexPhotos.run(deps('rekognition'), { photoId: fresh.id }, { attempt: 1 })
    expect((await rows()).at(-1)).toMatchObject({ state: 'indexed', engine: 'rekognition' })
    expect(await photosOf(picture)).toEqual([fresh.id])
    expect(await found()).toEqual(EACH_IN_ITS_PHOTO)
  })

  test('moves back when the setting is changed back halfway, and the new collection is removed', async () => {
    const before = await counters()
    await setChosenEngine(domain.db, 'rekognition')
    await moveAlbums(deps('rekognition'))
    for (const photo of photos.slice(0, 2)) await move(photo)
    await setChosenEngine(domain.db, 'embedded')
    await moveAlbums(deps('embedded'))
    const back = (await domain.waiting('reindex-photos-embedded')) as { photoId: string }[]
    expect(back.map((job) => photos.indexOf(job.photoId)).sort()).toEqual([0, 1])
    expect(await domain.waiting('reindex-photos-rekognition')).toEqual([])
    for (const { photoId } of back) {
      expect(await found(deps('embedded'))).toEqual(EACH_IN_ITS_PHOTO)
      await move(photoId, 'embedded')
    }
    await removeFrom('rekognition', 'embedded')
    await removeFrom('embedded', 'embedded')
    expect(await found(deps('embedded'))).toEqual(EACH_IN_ITS_PHOTO)
    expect(await counters()).toEqual(before)
    expect([await facesIn('embedded'), await facesIn('rekognition')]).toEqual([4, 0])
  })

  test('loses no photo that is put into a collection while it is removed', async () => {
    const picture = await numberedPicture(98)
    persons.set(imageHash(picture), [8])
    for (const photo of photos) await move(photo)
    await uploadBatch(domain, album, {}, [await domain.stage(picture, '9.jpg')])
    const { id } = (await rows()).at(-1)!
    // By a process of the former configuration.
    const late = (await findFacesOfPhoto(deps('embedded'), id, false))!
    await setChosenEngine(domain.db, 'rekognition')
    await removeFrom('embedded', 'rekognition')
    await expect(settleIndexed(domain, late)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    expect((await rows()).at(-1)).toMatchObject({ state: 'stored' })

    await indexPhotos.run(deps('embedded'), { photoId: id }, { attempt: 2 })
    await removeFrom('embedded', 'rekognition')
    expect(await facesIn('embedded'), 'needed by that photo').toBe(1)
    expect(await photosOf(picture)).toEqual([id])
  })

  test('has a row for a collection that is created again right after its removal', async () => {
    const picture = await numberedPicture(98)
    persons.set(imageHash(picture), [8])
    for (const photo of photos) await move(photo)
    await uploadBatch(domain, album, {}, [await domain.stage(picture, '9.jpg')])
    const { id } = (await rows()).at(-1)!
    const index = engines.embedded.indexPhoto
    engines.embedded.indexPhoto = async (...args) => {
      engines.embedded.indexPhoto = index
      await removeFrom('embedded', 'rekognition')
      return await index(...args)
    }
    await indexPhotos.run(deps('embedded'), { photoId: id }, { attempt: 1 })
    expect((await rows()).at(-1)).toMatchObject({ state: 'indexed', engine: 'embedded' })
    expect(await eraseAlbum(deps('rekognition'), album, COMMAND_LINE)).toEqual(nothingRemains)
    expect(await facesIn('embedded')).toBe(0)
  })

  test('puts nothing into a collection whose removal was interrupted, until it is removed', async () => {
    for (const photo of photos) await move(photo)
    await setChosenEngine(domain.db, 'rekognition')
    isUnavailable.embedded = true
    await expect(removeFrom('embedded', 'rekognition')).rejects.toThrow('currently unavailable')
    await setChosenEngine(domain.db, 'embedded')
    const calls = services[0]!.count('IndexFaces')
    await expect(move(photos[0]!, 'embedded')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    expect(services[0]!.count('IndexFaces')).toBe(calls)
    expect(await found(deps('embedded'))).toEqual(EACH_IN_ITS_PHOTO)
    isUnavailable.embedded = false
    await removeFrom('embedded', 'embedded')
    await move(photos[0]!, 'embedded')
    expect(await facesIn('embedded')).toBe(1)
    expect(await found(deps('embedded'))).toEqual(EACH_IN_ITS_PHOTO)
  })
})

describe('a former engine that is unavailable', () => {
  beforeEach(async () => {
    isUnavailable.embedded = true
    await setChosenEngine(domain.db, 'rekognition')
    for (const photo of photos.slice(0, 2)) await move(photo)
  })

  test('lets searches find the photos that have moved, and gives one warning', async () => {
    const process = deps('rekognition')
    expect(await found(process)).toEqual([[0], [1], [], []])
    expect(await found(process)).toEqual([[0], [1], [], []])
    expect(warnings).toHaveLength(1)
    expect(warnings[0]!.msg).toContain('former engine that is unavailable')
    for (const photo of photos.slice(2)) await move(photo)
    expect(await found(process)).toEqual(EACH_IN_ITS_PHOTO)
  })

  test('is given up after a day, with a warning that names what is left', async () => {
    for (const photo of photos.slice(2)) await move(photo)
    await expect(removeFrom('embedded', 'rekognition')).rejects.toThrow('currently unavailable')
    await removeFrom('embedded', 'rekognition', ATTEMPTS_UNTIL_ENGINE_IS_LOST)
    expect(warnings.at(-1)!.msg).toContain(`Delete by hand: the rows of album ${album.id}`)
    warnings.length = 0
    expect(await found()).toEqual(EACH_IN_ITS_PHOTO)
    expect(warnings).toEqual([])
  })
})

test('an album erased halfway leaves no face in either engine', async () => {
  for (const photo of photos.slice(0, 2)) await move(photo)
  // The album is erased after the engine has indexed the photo, and before its faces are recorded.
  const index = engines.rekognition.indexPhoto
  engines.rekognition.indexPhoto = async (...args) => {
    const answer = await index(...args)
    expect(await eraseAlbum(deps('rekognition'), album, COMMAND_LINE)).toEqual(nothingRemains)
    return answer
  }
  await move(photos[2]!)
  await move(photos[3]!)
  expect([await facesIn('embedded'), await facesIn('rekognition')]).toEqual([0, 0])
})
