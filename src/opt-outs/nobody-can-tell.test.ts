import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { reindexAlbum } from '../albums/move.ts'
import { setChosenEngine } from '../albums/move-queries.ts'
import { findAlbum } from '../albums/queries.ts'
import { COMMAND_LINE } from '../audit/audit-log.ts'
import type { Album } from '../database/schema.ts'
import type { FaceIndex, UnindexedFace } from '../faces/face-index.ts'
import type { Handler } from '../jobs/define-handler.ts'
import { indexPhotos } from '../jobs/index-photos.ts'
import { makeOptOutsPermanentInTime } from '../jobs/make-opt-outs-permanent.ts'
import { moveAlbumsEveryMinute } from '../jobs/move-albums.ts'
import { reindexPhotos } from '../jobs/reindex-photos.ts'
import { removeFaces } from '../jobs/remove-faces.ts'
import { queues } from '../queues/queues.ts'
import { startTestApp, type TestApp } from '../testing/app.ts'
import { createClient } from '../testing/client.ts'
import { listedOptOuts, type OwnedAlbum, ownersView } from '../testing/owners-view.ts'
import { indexOn } from '../testing/rekognition/index-on.ts'
import { createMemoryFaceRecords } from '../testing/rekognition/memory-face-records.ts'
import { type StandIn, startStandInRekognition } from '../testing/rekognition/stand-in.ts'
import { faceOf } from '../testing/rekognition/table-faces.ts'
import { changeOptOuts } from './change-opt-out.ts'
import { optOut } from './opt-out.ts'

/** Who opts out. */
const PERSON = 0
const GUEST = { role: 'guest', sessionId: 'of a guest', address: '203.0.113.7' } as const
const COVERAGE = '/albums/{id}/coverage'
const GONE = Buffer.from('the person who has opted out')

let service: TestApp
let standIn: StandIn
/** The people whom each picture shows, by its colour. */
const shown = new Map<string, number[]>()

beforeAll(async () => {
  standIn = await startStandInRekognition({
    recognise: async (image) =>
      (shown.get(await colourOf(image)) ?? []).map((person) => ({
        ...faceOf(person),
        box: { left: 0.2 * person, top: 0.2, width: 0.15, height: 0.15 },
      })),
  })
  service = await startTestApp({ work: false, faces: await engine() })
  await setChosenEngine(service.context.services.db, 'embedded')
})
afterAll(async () => {
  await service?.close()
  await standIn?.close()
})

const personAt = (left: number) => Math.round(left / 0.2)

/** An engine in which the pictures show these people, and that keeps one person out where it is asked to. */
async function engine(): Promise<FaceIndex> {
  const { records, recording } = createMemoryFaceRecords()
  const index = recording(await indexOn(standIn, { records }))
  return {
    ...index,
    engine: 'embedded',
    describePerson: async () => GONE,
    async indexPhoto(albumId, photoId, source, options) {
      // So it finds removed faces again when it indexes a photo once more.
      await index.removeFaces(albumId, await facesOfPhoto(photoId))
      const found = await index.indexPhoto(albumId, photoId, source, options)
      const isGone = ({ box }: { box: { left: number } }) => personAt(box.left) === PERSON
      const leftOut = options?.without?.length ? found.faces.filter(isGone) : []
      await index.removeFaces(
        albumId,
        leftOut.map(({ faceId }) => faceId),
      )
      return {
        faces: found.faces.filter((face) => !leftOut.includes(face)),
        unindexed: found.faces.length > 1 ? [SMALL_FACE] : [],
        leftOut: leftOut.map(({ box }) => ({ box, person: 0 })),
      }
    },
  }
}

const SMALL_FACE: UnindexedFace = {
  reasons: ['SMALL_BOUNDING_BOX'],
  box: { left: 0.9, top: 0.9, width: 0.01, height: 0.01 },
}

const STEP = 24
async function colourOf(image: Buffer): Promise<string> {
  const { channels } = await sharp(image).stats()
  return channels
    .slice(0, 3)
    .map(({ mean }) => Math.round(mean / STEP))
    .join()
}
/** A picture that shows these people. */
async function pictureOf(people: number[]): Promise<Buffer> {
  const [green, blue] = [1 + Math.floor(shown.size / 9), 1 + (shown.size % 9)]
  shown.set([1, green, blue].join(), people)
  const background = { r: STEP, g: STEP * green, b: STEP * blue }
  return await sharp({ create: { width: 80, height: 80, channels: 3, background } })
    .jpeg({ quality: 100, chromaSubsampling: '4:4:4' })
    .toBuffer()
}

/** Uploads pictures and one file that is refused, and indexes them. */
async function add({ owner, ownerKey }: OwnedAlbum, name: string, pictures: Buffer[]): Promise<void> {
  const files = pictures.map((bytes, number) => ({ name: `${name}-${number}.jpg`, bytes }))
  const refused = { name: `notes-${name}.jpg`, bytes: Buffer.from('no photo') }
  await owner.uploadPhotos(ownerKey, [...files, refused], { totalIntendedPhotos: files.length })
  await owner.post(`/api/albums/${ownerKey}/finish-upload`, {})
  const { db } = service.context.services
  const waiting = await db.selectFrom('photos').select('id').where('state', '=', 'stored').execute()
  for (const { id } of waiting) await indexPhotos.run(deps(), { photoId: id }, { attempt: 1 })
}
const deps = () => ({ ...service.context.jobDeps, siteUrl: service.url })

async function newAlbum(): Promise<OwnedAlbum> {
  const owner = createClient(service.url)
  const { ownerKey, albumName } = await owner.createAlbum('Party')
  const { body } = await owner.get(`/api/albums/by-name/${albumName}`)
  return { owner, ownerKey, albumName, id: body.album.id }
}

const read = async ({ id }: OwnedAlbum): Promise<Album> =>
  (await findAlbum(service.context.services.db, { id }))!

const facesOfPhoto = async (photoId: string) => {
  const { db } = service.context.services
  const rows = await db.selectFrom('faces').select('id').where('photo_id', '=', photoId).execute()
  return rows.map(({ id }) => id)
}

/** The faces of the person in an album. */
async function facesOf({ id }: OwnedAlbum): Promise<string[]> {
  const rows = await service.context.services.db
    .selectFrom('faces')
    .select(['id', 'box_left'])
    .where('album_id', '=', id)
    .execute()
  return rows.flatMap((row) => (personAt(row.box_left) === PERSON ? row.id : []))
}

/** Lets the opt-outs end in this way.
 *  @returns runs the jobs that follow */
async function end(album: OwnedAlbum, how: World['end']): Promise<() => Promise<void>> {
  if (how === 'permanent') {
    await service.context.services.db
      .updateTable('opt_outs')
      .set({ told_at: new Date(), permanent_at: new Date(0) })
      .execute()
    await makeOptOutsPermanentInTime.run(deps(), {}, { attempt: 1 })
    return () => runAll(queues.removeFaces.name, removeFaces)
  }
  const ids = (await listedOptOuts(service, album)).map(({ id }) => id)
  await changeOptOuts(deps(), await read(album), ids, how, COMMAND_LINE)
  return indexAgain
}

/** Indexes the photos again that are marked for it. */
async function indexAgain(): Promise<void> {
  await moveAlbumsEveryMinute.run(deps(), {}, { attempt: 1 })
  await runAll('reindex-photos-embedded', reindexPhotos.embedded)
}

async function runAll(queue: string, handler: Handler): Promise<void> {
  for (const { data } of await service.context.jobs.boss.findJobs(queue))
    await handler.run(deps(), data, { attempt: 1 })
}

interface World {
  name: string
  /** The people whom a photo shows that is added after the opt-out. */
  later: number[]
  keepOut: boolean
  end: 'permanent' | 'revoke'
  /** How many faces of the person are in the album in the end. */
  left: number
}
const WORLDS: World[] = [
  { name: 'erased after 72 hours', later: [PERSON, 1], keepOut: false, end: 'permanent', left: 1 },
  { name: 'kept out of later photos, and revoked', later: [PERSON], keepOut: true, end: 'revoke', left: 3 },
]

describe('an owner learns how many faces were opted out, and nothing else about them', () => {
  test.each(WORLDS)('when they are $name', async ({ later, keepOut, end: how, left }) => {
    const { db } = service.context.services
    const [changed, unchanged] = [await newAlbum(), await newAlbum()]
    const selfies = [await pictureOf([1]), await pictureOf([2])]
    /** @param optedOut the only number that may differ between the two albums */
    const expectSameBut = async (optedOut: number) => {
      const seen = await ownersView(service, changed, selfies)
      const { [COVERAGE]: coverage, ...others } = await ownersView(service, unchanged, selfies)
      expect(seen).toEqual({ ...others, [COVERAGE]: { ...(coverage as object), facesOptedOut: optedOut } })
      for (const one of await listedOptOuts(service, changed))
        expect(Object.keys(one).toSorted()).toEqual(['at', 'faces', 'id', 'permanentAt', 'state'])
      await db.deleteFrom('rate_limits').execute()
    }
    // In one photo the person is alone, so its only face leaves.
    const photos = [await pictureOf([PERSON]), await pictureOf([PERSON, 1])]
    for (const album of [changed, unchanged]) await add(album, 'first', photos)
    await expectSameBut(0)

    const request = { faceIds: await facesOf(changed), hidePhotos: false, keepOut }
    await optOut(service.context.services, await read(changed), request, GUEST)
    await expectSameBut(2)
    const laterPhoto = await pictureOf(later)
    for (const album of [changed, unchanged]) await add(album, 'later', [laterPhoto])
    await expectSameBut(2)
    const optedOut = how === 'permanent' ? 2 : 0
    const finish = await end(changed, how)
    await expectSameBut(optedOut)
    await finish()
    await expectSameBut(optedOut)
    for (const album of [changed, unchanged]) await reindexAlbum(deps(), album.id)
    await indexAgain()
    await expectSameBut(optedOut)
    expect(await facesOf(changed)).toHaveLength(left)
  })
})
