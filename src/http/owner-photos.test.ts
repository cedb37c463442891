import sharp from 'sharp'
import { beforeEach, describe, expect, test } from 'vitest'
import type { OwnerPhoto } from '../contract/desk-photos.ts'
import { claimAlbum } from '../faces/engine-queries.ts'
import { guestOf } from '../testing/app-of-file.ts'
import type { TestClient } from '../testing/client.ts'
import { indexedFace } from '../testing/engine-answers.ts'
import { exifFields, onlyTakenAt } from '../testing/exif-fields.ts'
import { expectError } from '../testing/expect-error.ts'
import { albumId, albumName, createAlbumForEachTest, owner, ownerKey, service } from '../testing/own-album.ts'
import { settleIndexed } from '../uploads/settle.ts'

createAlbumForEachTest({ work: false })

let guest: TestClient
beforeEach(async () => {
  guest = await guestOf(service, owner, albumName)
})

let shade = 0
/** Uploads photos, each taken by a camera at a time of 19 August 2025. */
async function upload(taken: Record<string, [camera: string, time: string]>): Promise<void> {
  const files = Object.entries(taken).map(async ([name, [Model, time]]) => {
    const background = { r: shade++ % 256, g: 90, b: 120 }
    const picture = sharp({ create: { width: 200, height: 150, channels: 3, background } }).jpeg()
    const exif = {
      IFD0: { Make: 'Canon', Model: `Canon ${Model}` },
      IFD2: { DateTimeOriginal: `2025:08:19 ${time}` },
    }
    return { name: `${name}.jpg`, bytes: await picture.withExif(exif).toBuffer() }
  })
  expect((await owner.uploadPhotos(ownerKey, await Promise.all(files))).body.failed).toBe(0)
}
const TWO_CAMERAS = {
  toast: ['A', '14:00:00'],
  cake: ['A', '15:30:00'],
  kiss: ['B', '13:10:00'],
  dance: ['B', '14:40:00'],
} satisfies Record<string, [string, string]>

const list = async (query = ''): Promise<OwnerPhoto[]> =>
  (await owner.get(`/api/albums/${albumId}/owner-photos?${query}`)).body.photos
const names = async (query = '') => (await list(query)).map(({ filename }) => filename.replace('.jpg', ''))
const idOf = async (name: string) => (await list()).find(({ filename }) => filename === `${name}.jpg`)!.id
const post = (path: string, body: object) => owner.post(`/api/albums/${albumId}/${path}`, body)

/** As if the face engine had found so many faces, and had left out one in each of the others. */
async function settle(found: Record<string, number>): Promise<void> {
  const { db, keyring, jobs } = service.context
  await claimAlbum(db, albumId, 'embedded')
  for (const photo of await db.selectFrom('photos').selectAll().where('album_id', '=', albumId).execute()) {
    const faces = found[photo.filename.replace('.jpg', '')]
    if (faces === undefined) continue
    const box = { left: 0.5, top: 0.5, width: 0.01, height: 0.02 }
    await settleIndexed(
      { db, keyring, jobs },
      {
        photo,
        engine: 'embedded',
        found: {
          faces: Array.from({ length: faces }, indexedFace),
          unindexed: faces > 0 ? [] : [{ reasons: ['SMALL_BOUNDING_BOX'], box }],
        },
      },
    )
  }
}

describe('the clock of a camera', () => {
  test('is shifted and shifted back, also for photos that come later, and the files stay as they are', async () => {
    await upload(TWO_CAMERAS)
    expect(await names()).toEqual(['kiss', 'toast', 'dance', 'cake'])
    const { cameras, hours } = (await owner.get(`/api/albums/${albumId}/cameras`)).body
    expect(cameras).toEqual([
      { camera: 'Canon A', first: '2025-08-19T14:00:00', last: '2025-08-19T15:30:00', shiftMinutes: 0 },
      { camera: 'Canon B', first: '2025-08-19T13:10:00', last: '2025-08-19T14:40:00', shiftMinutes: 0 },
    ])
    expect(hours).toEqual(['2025-08-19T13', '2025-08-19T14', '2025-08-19T15'])

    const shifted = (await post('cameras/shift', { camera: 'Canon B', minutes: 60 })).body
    expect(shifted.cameras[1]).toMatchObject({ first: '2025-08-19T14:10:00', shiftMinutes: 60 })
    await upload({ speech: ['B', '14:20:00'] })
    expect(await names()).toEqual(['toast', 'kiss', 'speech', 'cake', 'dance'])
    expect(await names('camera=Canon%20B&hour=2025-08-19T15')).toEqual(['speech', 'dance'])
    const [, kiss] = await list()
    expect(kiss).toMatchObject({ takenAt: '2025-08-19T14:10:00', camera: 'Canon B' })
    const details = (await owner.get(`/api/albums/${albumId}/photos/${kiss!.id}`)).body
    expect(details).toMatchObject({ cameraTime: '2025-08-19T13:10:00', shiftMinutes: 60 })
    const file = Buffer.from(await (await fetch(kiss!.downloadUrl)).arrayBuffer())
    expect(await exifFields(file)).toEqual(onlyTakenAt('2025:08:19 13:10:00'))

    await post('cameras/shift', { camera: 'Canon B', minutes: 0 })
    expect(await names()).toEqual(['kiss', 'toast', 'speech', 'dance', 'cake'])
  })

  test.each([
    { camera: 'Canon A', minutes: 1000 * 366 * 24 * 60 },
    { camera: 'Canon A', minutes: 1.5 },
    { camera: 'Canon\0A', minutes: 1 },
  ])('is not shifted by a thousand years or by nonsense: %j', async (shift) => {
    expectError(await post('cameras/shift', shift), 400, /minutes must be|not a name of a camera/)
  })

  test('is named to no guest', async () => {
    await upload(TWO_CAMERAS)
    await settle({ toast: 1, cake: 1, kiss: 1, dance: 1 })
    await post('settings', { browsing: 'on' })
    const { body } = await guest.get(`/api/albums/${albumName}/photos`)
    expect(body.photos).toHaveLength(4)
    expect(JSON.stringify(body)).not.toContain('Canon')
  })
})

describe('the photos of an album for its owner', () => {
  test('are of one kind each, and a page follows the other', async () => {
    await upload(TWO_CAMERAS)
    await settle({ toast: 2, kiss: 0 })
    await post('photos/hide', { photoIds: [await idOf('dance')], hidden: true })
    const kinds = await Promise.all(
      ['searchable', 'nobody', 'unclear', 'hidden', 'given_up', 'waiting'].map((which) =>
        names(`which=${which}`),
      ),
    )
    expect(kinds).toEqual([['toast'], [], ['kiss'], ['dance'], [], ['cake']])
    expect(await list()).toMatchObject([
      { kind: 'unclear', faces: 0, reason: '1 face cannot be searched for: too small' },
      { kind: 'searchable', faces: 2, reason: null },
      { kind: 'hidden', faces: null, reason: null },
      { kind: 'waiting', faces: null, reason: null },
    ])
    const { body } = await owner.get(`/api/albums/${albumId}/coverage`)
    expect(body).toMatchObject({
      ...{ filesSent: 4, filesSkipped: 0, photosStored: 4, photosSearchable: 1, photosOfNobody: 0 },
      ...{ photosUnclear: 1, photosHidden: 1, photosGivenUp: 0, photosWaiting: 1 },
    })
    const pages: string[] = []
    for (let cursor: string | undefined = ''; cursor !== undefined; ) {
      const query: string = `limit=1${cursor && `&cursor=${encodeURIComponent(cursor)}`}`
      const page = (await owner.get(`/api/albums/${albumId}/owner-photos?${query}`)).body
      pages.push(page.photos[0].filename)
      cursor = page.nextCursor
    }
    expect(pages).toEqual(['kiss.jpg', 'toast.jpg', 'dance.jpg', 'cake.jpg'])
  })

  test('say what the face engine has seen', async () => {
    await upload({ kiss: ['B', '13:10:00'], toast: ['A', '14:00:00'] })
    await settle({ kiss: 0, toast: 2 })
    const seen = async (name: string) =>
      (await owner.get(`/api/albums/${albumId}/photos/${await idOf(name)}`)).body
    expect((await seen('toast')).faceBoxes).toHaveLength(2)
    expect((await seen('kiss')).leftOut).toEqual([
      { box: { left: 0.5, top: 0.5, width: 0.01, height: 0.02 }, reason: 'too small' },
    ])
    for (const id of ['nonsense', '9a8b7c6d-5e4f-4a3b-8c2d-1e0f9a8b7c6d'])
      expectError(await owner.get(`/api/albums/${albumId}/photos/${id}`), 404, /This photo has been removed/)
  })

  test('open for nobody else when they are hidden, and for a former owner no longer', async () => {
    await upload({ kiss: ['B', '13:10:00'] })
    await settle({ kiss: 1 })
    await post('settings', { browsing: 'on' })
    const { photos } = (await guest.get(`/api/albums/${albumName}/photos`)).body
    const [ofOwner] = await list()
    await post('photos/hide', { photoIds: [ofOwner!.id], hidden: true })
    expect((await fetch(photos[0].thumbUrl)).status).toBe(404)
    expect((await fetch(ofOwner!.thumbUrl)).status).toBe(200)
    expect((await fetch(photos[0].thumbUrl.replace('&s=', '&o=1&s='))).status).toBe(403)
    expect((await guest.post('/api/zips', { photos: [ofOwner!.url] })).status).toBe(404)
    await post('owner-key', {})
    expect((await fetch(ofOwner!.thumbUrl)).status).toBe(404)
    await post('photos/hide', { photoIds: [ofOwner!.id], hidden: false })
    expect((await fetch(photos[0].thumbUrl)).status).toBe(200)
  })

  test.each(['which=any', 'hour=2025-13-41T99', 'camera=%00', 'limit=0', 'cursor=x'])(
    'are not listed for nonsense: %s',
    async (query) => {
      expect((await owner.get(`/api/albums/${albumId}/owner-photos?${query}`)).status).toBe(400)
    },
  )
})
