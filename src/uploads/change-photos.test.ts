import { describe, expect, test } from 'vitest'
import { coverageOf } from '../albums/coverage.ts'
import { COMMAND_LINE, eventsOfAlbum } from '../audit/audit-log.ts'
import { AppError } from '../errors.ts'
import { setHidden } from '../opt-outs/owner-answers.ts'
import { indexedPhotoIds } from '../photos/queries.ts'
import { insertOptOut } from '../testing/album-rows.ts'
import * as two from '../testing/two-engines.ts'
import { album, domain, engines, photos, rows } from '../testing/two-engines.ts'
import { retryGivenUp } from './change-photos.ts'
import { deleteFromAlbum } from './delete-photos.ts'

two.indexAlbumForEachTest()

const hide = (photoIds: string[], hidden = true) =>
  setHidden(domain, album, { photoIds, hidden }, COMMAND_LINE)
const retry = () => retryGivenUp(domain, album, COMMAND_LINE)
const ledger = () => coverageOf(domain.db, album)
const stateOf = async (id: string) => (await rows()).find((row) => row.id === id)!.state

describe('a photo that its owner hides', () => {
  test('while its faces are found stays hidden, is counted once, and shown with its faces', async () => {
    const last = await two.addPhoto()
    const { indexPhoto } = engines.embedded
    engines.embedded.indexPhoto = async (...call) => {
      expect(await hide([last, photos[0]!])).toEqual({ changed: 2, stayHidden: 0 })
      return await indexPhoto(...call)
    }
    await two.indexOne(last, 'embedded')
    expect(await two.counters()).toMatchObject({ photos_stored: 5, photos_settled: 5, faces_found: 5 })
    expect(await ledger()).toMatchObject({ photosHidden: 2, photosSearchable: 3, photosWaiting: 0 })
    expect(await indexedPhotoIds(domain.db, album.id, [last])).toEqual(new Set())
    expect(await hide([last, photos[0]!], false)).toEqual({ changed: 2, stayHidden: 0 })
    expect(await ledger()).toMatchObject({ photosHidden: 0, photosSearchable: 5 })
    expect((await rows()).at(-1)!.indexed_at).not.toBeNull()
  })

  test('and shows before it was indexed waits again', async () => {
    const last = await two.addPhoto()
    await hide([last])
    expect(await ledger()).toMatchObject({ photosStored: 5, photosHidden: 1, photosWaiting: 0 })
    await hide([last], false)
    expect(await ledger()).toMatchObject({ photosHidden: 0, photosWaiting: 1, photosSearchable: 4 })
  })

  test('because a guest has asked stays hidden when the owner shows all', async () => {
    await insertOptOut(domain.db, album.id, [photos[0]!])
    await domain.db.updateTable('opt_outs').set({ answer: 'hide' }).execute()
    await hide(photos.slice(0, 2))
    expect(await hide(photos, false)).toEqual({ changed: 1, stayHidden: 1 })
    expect(await stateOf(photos[0]!)).toBe('hidden')
  })

  test('of another album stays as it is, and the audit log has what was changed', async () => {
    const other = await domain.newAlbum()
    expect(await setHidden(domain, other, { photoIds: photos, hidden: true }, COMMAND_LINE)).toEqual({
      changed: 0,
      stayHidden: 0,
    })
    await hide(photos)
    await hide(photos)
    await hide(photos, false)
    const events = (await eventsOfAlbum(domain, album.id)).map(({ event }) => event)
    expect(events.slice(-2)).toEqual(['photos hidden', 'photos shown again'])
  })
})

test('photos that were given up are tried again, once, and the album counts them as waiting', async () => {
  const last = await two.addPhoto()
  const { indexPhoto } = engines.embedded
  engines.embedded.indexPhoto = async () => {
    throw new AppError('UNPROCESSABLE_CONTENT', 'This picture is too small')
  }
  await two.indexOne(last, 'embedded')
  expect(await ledger()).toMatchObject({ photosGivenUp: 1, photosWaiting: 0 })
  engines.embedded.indexPhoto = indexPhoto
  await domain.dropWaiting('index-photos')
  expect([await retry(), await retry()]).toEqual([1, 0])
  expect(await ledger()).toMatchObject({ photosGivenUp: 0, photosWaiting: 1, photosSearchable: 4 })
  expect(await domain.waiting('index-photos')).toEqual([{ photoId: last }])
  await two.indexWaiting('embedded')
  expect(await ledger()).toMatchObject({ photosWaiting: 0, photosSearchable: 5 })
  expect(await two.counters()).toMatchObject({ photos_settled: 5, faces_found: 5 })
})

test('a photo that is deleted while it waits for another engine leaves the others waiting', async () => {
  await two.changeTo('rekognition')
  await hide([photos[0]!])
  await deleteFromAlbum(domain, album, photos.slice(0, 2), COMMAND_LINE)
  expect(await two.counters()).toMatchObject({ photos_stored: 2, photos_settled: 0 })
  expect(await ledger()).toMatchObject({ photosStored: 2, photosWaiting: 2, photosHidden: 0 })
})
