import { describe, expect, test } from 'vitest'
import { coverageOf } from '../albums/coverage.ts'
import { moveAlbums, reindexAlbum } from '../albums/move.ts'
import { countPhotosToMove, setChosenEngine } from '../albums/move-queries.ts'
import { AppError } from '../errors.ts'
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
  move,
  photos,
  pictures,
  removeFrom,
  rows,
  services,
  upload,
} from '../testing/moving-album.ts'
import { numberedPicture } from '../testing/rekognition/table-faces.ts'
import { indexPhotos } from './index-photos.ts'

indexAlbumForEachTest()

describe('a photo that the new engine refuses', () => {
  test('keeps its faces and the former collection, and the owner learns the reason', async () => {
    await setChosenEngine(domain.db, 'rekognition')
    const [refused, ...others] = photos as [string, ...string[]]
    engines.rekognition.indexPhoto = async () => {
      throw new AppError('UNPROCESSABLE_CONTENT', 'This picture is too small')
    }
    await move(refused)
    engines.rekognition.indexPhoto = async (_album, photoId) => {
      throw new AppError('INTERNAL_SERVER_ERROR', `The engine crashed on ${photoId}`)
    }
    for (let attempt = 1; attempt < 5; attempt++)
      await expect(move(others[0]!, 'rekognition', attempt)).rejects.toThrow('The engine crashed')
    await move(others[0]!, 'rekognition', 5)
    expect(await rows()).toMatchObject(photos.map(() => ({ state: 'indexed', engine: 'embedded' })))

    const current = await domain.db
      .selectFrom('albums')
      .selectAll()
      .where('id', '=', album.id)
      .executeTakeFirstOrThrow()
    expect(await coverageOf(domain.db, current)).toMatchObject({
      photosSearchable: 4,
      skippedFiles: [],
      photosPartlySearchable: [
        { filename: '1.jpg', reason: expect.stringContaining('This picture is too small') },
        { filename: '2.jpg', reason: expect.stringContaining('The photo could not be searched for faces') },
      ],
    })
    await moveAlbums(deps('rekognition'))
    expect(await domain.waiting('reindex-photos-rekognition')).toHaveLength(2)
    await removeFrom('embedded', 'rekognition')
    expect(await found()).toEqual(EACH_IN_ITS_PHOTO)
  })

  test('waits as long as the engine is unavailable', async () => {
    services[1]!.fault = () => 'break'
    await expect(move(photos[0]!, 'rekognition', 500)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    services[1]!.fault = () => undefined
    await move(photos[0]!, 'rekognition', 501)
    expect((await rows())[0]).toMatchObject({ engine: 'rekognition', refused_by: null })
  })
})

describe('indexing an album again', () => {
  test('comes after new photos', async () => {
    await setChosenEngine(domain.db, 'rekognition')
    const asked: unknown[] = []
    engines.rekognition.indexPhoto = async (_album, _photo, _source, options) => {
      asked.push(options)
      throw new AppError('SERVICE_UNAVAILABLE', 'Not yet')
    }
    await expect(move(photos[0]!)).rejects.toThrow('Not yet')
    await upload([...pictures, await numberedPicture(98)])
    const photoId = (await rows()).at(-1)!.id
    await expect(indexPhotos.run(deps('rekognition'), { photoId }, { attempt: 1 })).rejects.toThrow('Not yet')
    expect(asked).toEqual([{ isRepeat: false, canWait: true }, { isRepeat: false }])
  })

  test('finds its faces again in its current engine, and stays searchable', async () => {
    const before = await counters()
    await engines.embedded.removePhotos(album.id, [photos[0]!])
    await setChosenEngine(domain.db, 'embedded')
    expect(await reindexAlbum(domain, album.id)).toBe(4)
    expect(await domain.waiting('move-albums')).toHaveLength(1)
    await moveAlbums(deps('embedded'))
    expect(await domain.waiting('reindex-photos-embedded')).toHaveLength(4)
    expect(await found(deps('embedded'))).toEqual([[], [1], [2], [3]])
    for (const photo of photos) {
      await move(photo, 'embedded')
      expect(await found(deps('embedded'))).toEqual(EACH_IN_ITS_PHOTO)
    }
    expect(await counters()).toEqual(before)
    expect(await facesIn('embedded')).toBe(4)
    expect(await countPhotosToMove(domain.db, 'embedded', album.id)).toEqual({ photos: 0, albums: 0 })
  })

  test('tries photos again that were given up', async () => {
    await upload([...pictures, await numberedPicture(97)])
    const last = (await rows()).at(-1)!
    const index = engines.embedded.indexPhoto
    engines.embedded.indexPhoto = async () => {
      throw new AppError('UNPROCESSABLE_CONTENT', 'Unreadable')
    }
    await indexPhotos.run(deps('embedded'), { photoId: last.id }, { attempt: 1 })
    expect((await rows()).at(-1)).toMatchObject({ state: 'given_up', refused_by: 'embedded' })
    await moveAlbums(deps('embedded'))
    expect(await domain.waiting('reindex-photos-embedded')).toEqual([])

    engines.embedded.indexPhoto = index
    await reindexAlbum(domain, album.id)
    await move(last.id, 'embedded')
    expect((await rows()).at(-1)).toMatchObject({ state: 'indexed', given_up_reason: null })
    expect(await counters()).toMatchObject({ photos_stored: 5, photos_settled: 5, faces_found: 4 })
  })
})

test('albums take turns when their photos are indexed again', async () => {
  const large = album.id
  await upload(await Promise.all([51, 52, 53, 54, 55, 56].map((number) => numberedPicture(number))))
  const small = await domain.newAlbum()
  await domain.db
    .updateTable('photos')
    .set({ album_id: small.id })
    .where('id', 'in', photos.slice(0, 2))
    .execute()
  await domain.db.updateTable('photos').set({ state: 'indexed', engine: 'embedded' }).execute()
  await setChosenEngine(domain.db, 'rekognition')
  await moveAlbums(deps('rekognition'))
  const jobs = await domain.queue.boss.fetch<{ photoId: string }>('reindex-photos-rekognition', {
    batchSize: 4,
  })
  const albums = await Promise.all(
    jobs.map(({ data }) =>
      domain.db
        .selectFrom('photos')
        .select('album_id')
        .where('id', '=', data.photoId)
        .executeTakeFirstOrThrow(),
    ),
  )
  // Of those that are taken together, the order says nothing.
  const taken = albums.map(({ album_id }) => album_id).toSorted()
  expect(taken).toEqual([large, large, small.id, small.id].toSorted())
})
