import fc from 'fast-check'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { reindexAlbum } from '../albums/move.ts'
import { setChosenEngine } from '../albums/move-queries.ts'
import { findAlbum } from '../albums/queries.ts'
import { COMMAND_LINE } from '../audit/audit-log.ts'
import type { Album } from '../database/schema.ts'
import type { FaceIndex, UnindexedFace } from '../faces/face-index.ts'
import { createRekognitionFaceIndex } from '../faces/rekognition/rekognition-face-index.ts'
import type { Handler } from '../jobs/define-handler.ts'
import { indexPhotos } from '../jobs/index-photos.ts'
import { makeOptOutsPermanentInTime } from '../jobs/make-opt-outs-permanent.ts'
import { moveAlbumsEveryMinute } from '../jobs/move-albums.ts'
import { reindexPhotos } from '../jobs/reindex-photos.ts'
import { removeFaces } from '../jobs/remove-faces.ts'
import { createLog } from '../log.ts'
import { queues } from '../queues/queues.ts'
import { startTestApp, type TestApp } from '../testing/app.ts'
import { createClient } from '../testing/client.ts'
import { listedOptOuts, type OwnedAlbum, ownersView } from '../testing/owners-view.ts'
import { DIRECT } from '../testing/rekognition/direct-governor.ts'
import { createMemoryFaceRecords } from '../testing/rekognition/memory-face-records.ts'
import { PICTURES_HERE } from '../testing/rekognition/pictures-here.ts'
import { type StandIn, startStandInRekognition } from '../testing/rekognition/stand-in.ts'
import { faceOf } from '../testing/rekognition/table-faces.ts'
import { changeOptOuts } from './change-opt-out.ts'
import { optOut } from './opt-out.ts'

const PEOPLE = [0, 1, 2]
const PERSON = 0
const GUEST = { role: 'guest', sessionId: 'of a guest', address: '203.0.113.7' } as const
const COVERAGE = '/albums/{id}/coverage'
const GONE = Buffer.from('the person who has opted out')

let service: TestApp
let standIn: StandIn
/** The people whom each picture shows, by its colour. */
const shown = new Map<string, number[]>()
/** The pictures in which the engine sees a face that it does not index. */
const hasSmallFace = new Set<string>()
/** Whether the engine finds removed faces again when it indexes a photo once more. */
let findsAgain = true

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
  const { endpoint, region, credentials } = standIn
  const { records, recording } = createMemoryFaceRecords()
  const index = recording(
    await createRekognitionFaceIndex({
      pictures: PICTURES_HERE,
      records,
      client: { endpoint, region, credentials },
      governor: DIRECT,
      log: createLog('silent'),
    }),
  )
  return {
    ...index,
    engine: 'embedded',
    describePerson: async () => GONE,
    async indexPhoto(albumId, photoId, source, options) {
      // Otherwise the service does not find again what was removed from its collection.
      if (findsAgain) await index.removeFaces(albumId, await facesOfPhoto(photoId))
      const found = await index.indexPhoto(albumId, photoId, source, options)
      const isGone = ({ box }: { box: { left: number } }) => personAt(box.left) === PERSON
      const leftOut = options?.without?.length ? found.faces.filter(isGone) : []
      await index.removeFaces(
        albumId,
        leftOut.map(({ faceId }) => faceId),
      )
      return {
        faces: found.faces.filter((face) => !leftOut.includes(face)),
        unindexed: hasSmallFace.has(await colourOf(await source.read())) ? [SMALL_FACE] : [],
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
async function pictureOf(place: [number, number], people: number[]): Promise<Buffer> {
  const [green, blue] = place
  shown.set([1, green, blue].join(), people)
  const background = { r: STEP, g: STEP * green, b: STEP * blue }
  return await sharp({ create: { width: 80, height: 80, channels: 3, background } })
    .jpeg({ quality: 100, chromaSubsampling: '4:4:4' })
    .toBuffer()
}

interface PlannedPhoto {
  people: number[]
  hasSmallFace: boolean
}
const photo = fc.record({
  people: fc.subarray(PEOPLE, { maxLength: 2 }),
  hasSmallFace: fc.boolean(),
})
interface Plan {
  /** The first one shows the person. */
  photos: PlannedPhoto[]
  /** Added after the opt-out. */
  later: PlannedPhoto
  keepOut: boolean
  end: 'permanent' | 'undo' | 'revoke'
  findsAgain: boolean
}
const plan: fc.Arbitrary<Plan> = fc.record({
  photos: fc
    .array(photo, { minLength: 1, maxLength: 5 })
    .map(([first, ...others]) => [
      { ...first!, people: [...new Set([PERSON, ...first!.people])].slice(0, 2) },
      ...others,
    ]),
  later: photo,
  keepOut: fc.boolean(),
  end: fc.constantFrom('permanent', 'undo', 'revoke'),
  findsAgain: fc.boolean(),
})
const alone = { people: [PERSON], hasSmallFace: false }
/** The only face of a photo leaves, and a photo of the same person follows. */
const withOther = { people: [PERSON, 1], hasSmallFace: true }
const EXAMPLES: [Plan][] = [
  [{ photos: [alone, withOther], later: alone, keepOut: true, end: 'revoke', findsAgain: true }],
  [{ photos: [alone, withOther], later: withOther, keepOut: false, end: 'permanent', findsAgain: false }],
]

/** Uploads photos and one file that is refused, and indexes them. */
async function add({ owner, ownerKey }: OwnedAlbum, photos: PlannedPhoto[], row: number): Promise<void> {
  const files = await Promise.all(
    photos.map(async ({ people, hasSmallFace: isCrowd }, column) => {
      const place: [number, number] = [row, 1 + column]
      const bytes = await pictureOf(place, people)
      if (isCrowd) hasSmallFace.add(await colourOf(bytes))
      return { name: `${row}-${column}.jpg`, bytes }
    }),
  )
  const refused = { name: `notes-${row}.jpg`, bytes: Buffer.from('no photo') }
  await owner.uploadPhotos(ownerKey, [...files, refused], { totalIntendedPhotos: files.length })
  await owner.post(`/api/albums/${ownerKey}/finish-upload`, {})
  const waiting = await service.context.services.db
    .selectFrom('photos')
    .select('id')
    .where('state', '=', 'stored')
    .execute()
  for (const { id } of waiting) await indexPhotos.run(deps(), { photoId: id }, { attempt: 1 })
}
const deps = () => ({ ...service.context.jobDeps, siteUrl: service.url })

async function newAlbum(): Promise<OwnedAlbum> {
  const owner = createClient(service.url)
  const { ownerKey, albumName } = await owner.createAlbum('Party')
  const { body } = await owner.get(`/api/albums/by-name/${albumName}`)
  return { owner, ownerKey, albumName, id: body.album.id, masked: [ownerKey, albumName] }
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
async function end(album: OwnedAlbum, how: Plan['end']): Promise<() => Promise<void>> {
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

test('an owner learns how many faces were opted out, and nothing else about them', async () => {
  await fc.assert(
    fc.asyncProperty(plan, async ({ photos, later, end: how, ...engine }) => {
      const { db } = service.context.services
      for (const table of ['albums', 'photos', 'faces', 'rate_limits'] as const)
        await db.deleteFrom(table).execute()
      hasSmallFace.clear()
      findsAgain = engine.findsAgain
      // An engine from which nothing comes back gives no descriptions either (Amazon Rekognition).
      const keepOut = engine.keepOut && findsAgain
      const selfies = await Promise.all(
        PEOPLE.filter((other) => other !== PERSON).map((other) => pictureOf([9, 1 + other], [other])),
      )
      const [changed, unchanged] = [await newAlbum(), await newAlbum()]
      const both = [changed, unchanged]
      const expectSameBut = async (optedOut: number) => {
        const seen = await ownersView(service, changed, selfies)
        const expected = await ownersView(service, unchanged, selfies)
        const { [COVERAGE]: coverage, ...others } = expected
        expect(seen).toEqual({ ...others, [COVERAGE]: { ...(coverage as object), facesOptedOut: optedOut } })
        const listed = await listedOptOuts(service, changed)
        for (const one of listed)
          expect(Object.keys(one).toSorted()).toEqual(['at', 'faces', 'id', 'permanentAt', 'state'])
        await db.deleteFrom('rate_limits').execute()
      }
      for (const album of both) await add(album, photos, 1)
      await expectSameBut(0)
      const faceIds = await facesOf(changed)

      const request = { faceIds, hidePhotos: false, keepOut }
      await optOut(service.context.services, await read(changed), request, GUEST)
      await expectSameBut(faceIds.length)
      for (const album of both) await add(album, [later], 2)
      await expectSameBut(faceIds.length)
      const finish = await end(changed, how)
      await expectSameBut(how === 'permanent' ? faceIds.length : 0)
      await finish()
      await expectSameBut(how === 'permanent' ? faceIds.length : 0)
      for (const album of both) await reindexAlbum(deps(), album.id)
      await indexAgain()
      await expectSameBut(how === 'permanent' ? faceIds.length : 0)
      const stays = !keepOut && later.people.includes(PERSON) ? 1 : 0
      const left = how === 'permanent' ? stays : (await facesOf(unchanged)).length
      expect(await facesOf(changed)).toHaveLength(left)
    }),
    // The plans are the same in each run, so that it takes as long each time.
    { seed: 1, numRuns: 4, examples: EXAMPLES, endOnFailure: true },
  )
}, 600_000)
