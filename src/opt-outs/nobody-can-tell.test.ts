import sharp from 'sharp'
import { afterAll, describe, expect, test } from 'vitest'
import { findAlbum } from '../albums/queries.ts'
import { reindexAlbum } from '../albums/reindex.ts'
import { COMMAND_LINE } from '../audit/audit-log.ts'
import type { Album } from '../database/schema.ts'
import type { FaceIndex, UnindexedFace } from '../faces/face-index.ts'
import { openApiDocument } from '../http/openapi.ts'
import type { Queue } from '../jobs/define-queue.ts'
import { indexPhotos } from '../jobs/index-photos.ts'
import { removeFaces } from '../jobs/removals.ts'
import { eraseOptOuts } from '../jobs/retention.ts'
import { sendLetter } from '../letters/send.ts'
import type { Letter } from '../mail/mailer.ts'
import { appOfFile } from '../testing/app-of-file.ts'
import { type Answer, createClient, type TestClient } from '../testing/client.ts'
import { tellOwners } from '../testing/mailbox.ts'
import { createMemoryFaceRecords, indexOn } from '../testing/rekognition/index-on.ts'
import { faceOf } from '../testing/rekognition/recogniser.ts'
import { startStandInRekognition } from '../testing/rekognition/stand-in.ts'
import { optOut } from './opt-out.ts'
import { undoOptOuts } from './undo-or-erase.ts'

/** An album, and the session of its owner. */
interface OwnedAlbum {
  owner: TestClient
  id: string
  ownerKey: string
  albumName: string
}

/** Who opts out. */
const PERSON = 0
const GUEST = { role: 'guest', sessionId: 'of a guest', address: '203.0.113.7' } as const
const COVERAGE = '/albums/{id}/coverage'
const GONE = Buffer.from('the person who has opted out')

/** The people whom each picture shows, by its colour. */
const shown = new Map<string, number[]>()

const standIn = await startStandInRekognition({
  recognise: async (image) =>
    (shown.get(await colourOf(image)) ?? []).map((person) => ({
      ...faceOf(person),
      box: { left: 0.2 * person, top: 0.2, width: 0.15, height: 0.15 },
    })),
})
afterAll(() => standIn.close())
const service = await appOfFile({ work: false, faces: await engine() })

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

/** An album whose pictures are indexed. One file was refused. */
async function newAlbum(pictures: Buffer[]): Promise<OwnedAlbum> {
  const owner = createClient(service.url)
  const { ownerKey, albumName } = await owner.createAlbum('Party')
  const files = pictures.map((bytes, number) => ({ name: `${number}.jpg`, bytes }))
  const refused = { name: 'notes.jpg', bytes: Buffer.from('no photo') }
  await owner.uploadPhotos(ownerKey, [...files, refused], { totalIntendedPhotos: files.length })
  await owner.post(`/api/albums/${ownerKey}/finish-upload`, {})
  const waiting = await db().selectFrom('photos').select('id').where('state', '=', 'stored').execute()
  for (const { id } of waiting) await indexPhotos.run(deps(), { photoId: id }, { attempt: 1 })
  const { body } = await owner.get(`/api/albums/by-name/${albumName}`)
  return { owner, ownerKey, albumName, id: body.album.id }
}
const deps = () => service.context
const db = () => service.context.db

const read = async ({ id }: OwnedAlbum): Promise<Album> => (await findAlbum(db(), { id }))!

const facesOfPhoto = async (photoId: string) => {
  const rows = await db().selectFrom('faces').select('id').where('photo_id', '=', photoId).execute()
  return rows.map(({ id }) => id)
}

/** The faces of the person in an album. */
async function facesOf({ id }: OwnedAlbum): Promise<string[]> {
  const rows = await db()
    .selectFrom('faces')
    .select(['id', 'box_left'])
    .where('album_id', '=', id)
    .where('confidence', 'is not', null)
    .execute()
  return rows.flatMap((row) => (personAt(row.box_left) === PERSON ? row.id : []))
}

/** What the owner's list of opt-outs says. */
async function listed(album: OwnedAlbum): Promise<{ id: string }[]> {
  return (await album.owner.get(`/api/albums/${album.ownerKey}/opt-outs`)).body.optOuts
}

/** Everything that an owner can read about an album and that may depend on its faces: the answers of all calls that read, and
 *  of a search with each of these selfies; and the letters about the last upload. What is random in each answer is masked. So
 *  is the sentence on the time that the work took: it is there from a minute on. */
async function ownersView(album: OwnedAlbum, selfies: Buffer[]): Promise<Record<string, unknown>> {
  const { owner, ownerKey, albumName } = album
  const view: Record<string, unknown> = {}
  const see = async (what: string, call: Promise<Answer>) => {
    const { status, body } = await call
    expect(status).toBe(200)
    view[what] = body
  }
  const { photos } = (await owner.get(`/api/albums/${ownerKey}/owner-photos`)).body
  const ids = photos.map((photo: { id: string }) => photo.id)
  for (const path of READS) {
    const ofAlbum = path.replace('{albumName}', albumName).replace('{id}', ownerKey)
    for (const photoId of path.includes('{photoId}') ? ids : [''])
      await see(path + photoId, owner.get(`/api${ofAlbum.replace('{photoId}', photoId)}`))
  }
  await see('visit', owner.query('albums.visit', { albumName }))
  for (const [number, selfie] of selfies.entries())
    await see(`search ${number}`, owner.search(albumName, selfie))
  view.letters = await lettersAbout(album)
  const json = JSON.stringify(view, (key, value) =>
    RANDOM.has(key) && typeof value === 'string' ? '(random)' : value,
  )
  return JSON.parse(json.replace(BEHIND_ADDRESS, '$1').replace(TIME_TAKEN, ''))
}

/** Calls with which something is read that is not of the album, or is a further page of a search; and the list of opt-outs,
 *  which `listed` reads. */
const NOT_OF_ALBUM = /^\/(results|photos|gmail|auth)\/|\/(found-photos|opt-outs)$/
/** The paths of all documented calls that read something about an album. */
const READS = Object.entries(openApiDocument().paths ?? {}).flatMap(([path, calls]) =>
  calls?.get && !NOT_OF_ALBUM.test(path) ? path : [],
)
const RANDOM = new Set(['searchToken', 'otherSearchToken', 'id'])
/** Query strings, and what is behind a `#`. */
const BEHIND_ADDRESS = /(https?:[^\s"'?#<\\]*)[?#][^\s"'<\\]+/g
const TIME_TAKEN = /(\\n\\n|\\n<p [^>]*>)Uploading [^.]* took [^.]*\.(<\/p>)?/g

/** The letters about the last upload, as they would be sent now: to an address that is confirmed, and to one that is not. */
async function lettersAbout({ id }: OwnedAlbum): Promise<object[]> {
  const sent: object[] = []
  const send = async ({ subject, text, html }: Letter) => void sent.push({ subject, text, html })
  const letters = db()
    .selectFrom('letters')
    .select('id')
    .where('album_id', '=', id)
    .where('kind', '=', 'ready')
  const { id: letterId } = await letters.executeTakeFirstOrThrow()
  for (const address_confirmed_at of [new Date(), null]) {
    await db().updateTable('albums').set({ address_confirmed_at }).where('id', '=', id).execute()
    await db()
      .updateTable('letters')
      .set({ claimed_at: null, counted_at: null, sent_at: null })
      .where('id', '=', letterId)
      .execute()
    const mailer = { ...deps().mailer, send }
    await sendLetter({ ...deps(), mailer }, letterId)
  }
  expect(sent).toHaveLength(2)
  return sent
}

/** Runs the jobs that index photos, once. */
async function indexAgain(): Promise<void> {
  await runAll(indexPhotos)
  await service.context.jobs.boss.deleteQueuedJobs(indexPhotos.name)
}

async function runAll(queue: Queue): Promise<void> {
  for (const { data } of await service.context.jobs.boss.findJobs(queue.name))
    await queue.run(deps(), data, { attempt: 1 })
}

describe('an owner learns how many faces were opted out, and nothing else about them', () => {
  /** A photo of the person alone loses its only face. */
  async function optOutOf(keepOut: boolean) {
    const selfies = [await pictureOf([1]), await pictureOf([2])]
    const album = await newAlbum([await pictureOf([PERSON]), await pictureOf([PERSON, 1])])
    const { [COVERAGE]: coverage, ...others } = await ownersView(album, selfies)
    /** @param facesOptedOut the only number that may change */
    const expectSameBut = async (facesOptedOut: number) => {
      const all = { ...others, [COVERAGE]: { ...(coverage as object), facesOptedOut } }
      expect(await ownersView(album, selfies)).toEqual(all)
      for (const one of await listed(album))
        expect(Object.keys(one).toSorted()).toEqual(['at', 'eraseAt', 'faces', 'hiding', 'id', 'state'])
      await db().deleteFrom('rate_limits').execute()
    }
    await expectSameBut(0)
    const request = { faceIds: await facesOf(album), hidePhotos: false, keepOut }
    await optOut(service.context, await read(album), request, GUEST)
    await expectSameBut(2)
    await reindexAlbum(deps(), album.id)
    await indexAgain()
    await expectSameBut(2)
    return { album, expectSameBut }
  }

  test('when they are erased after 72 hours', async () => {
    const { album, expectSameBut } = await optOutOf(false)
    await tellOwners(db())
    await db()
      .updateTable('opt_outs')
      .set({ erase_at: new Date(0) })
      .execute()
    await eraseOptOuts.run(deps(), {}, { attempt: 1 })
    await expectSameBut(2)
    await runAll(removeFaces)
    await expectSameBut(2)
    await reindexAlbum(deps(), album.id)
    await indexAgain()
    await expectSameBut(2)
    expect(await facesOf(album)).toEqual([])
  })

  test('when they are kept out of photos that are indexed later, and revoked', async () => {
    const { album, expectSameBut } = await optOutOf(true)
    const ids = (await listed(album)).map(({ id }) => id)
    await undoOptOuts(deps(), await read(album), ids, COMMAND_LINE)
    await expectSameBut(0)
    await indexAgain()
    await expectSameBut(0)
    expect(await facesOf(album)).toHaveLength(2)
  })
})
