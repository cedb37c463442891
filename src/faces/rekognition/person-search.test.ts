import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createLog } from '../../log.ts'
import { inMemory } from '../../testing/photo-source.ts'
import { DIRECT } from '../../testing/rekognition/direct-governor.ts'
import type { ServiceFault } from '../../testing/rekognition/faults.ts'
import { createMemoryFaceRecords } from '../../testing/rekognition/memory-face-records.ts'
import { PICTURES_HERE } from '../../testing/rekognition/pictures-here.ts'
import { imageHash, type RecognisedFace, recogniseFromTable } from '../../testing/rekognition/recogniser.ts'
import { type StandIn, startStandInRekognition } from '../../testing/rekognition/stand-in.ts'
import { faceOf, numberedPicture } from '../../testing/rekognition/table-faces.ts'
import { nothingRemembered } from '../errors.ts'
import type { FaceIndex, PersonQuery } from '../face-index.ts'
import { createRekognitionFaceIndex } from './rekognition-face-index.ts'

let albumId: string
let table: Map<string, RecognisedFace[]>
let service: StandIn
let index: FaceIndex
let pictures: number

beforeEach(async () => {
  albumId = randomUUID()
  table = new Map()
  pictures = 0
  service = await startStandInRekognition({ recognise: recogniseFromTable(table) })
  const { records, recording } = createMemoryFaceRecords()
  const { endpoint, region, credentials } = service
  index = recording(
    await createRekognitionFaceIndex({
      pictures: PICTURES_HERE,
      records,
      client: { endpoint, region, credentials },
      governor: DIRECT,
      log: createLog('silent'),
    }),
  )
  await index.createCollection(albumId)
})
afterEach(async () => {
  await index.close()
  await service.close()
})

/** A face of somebody, at a place that says how far it is from others: 0.3 is a similarity of 98, 0.48 of 84, 0.52 of 71,
 *  0.55 of 59, 0.62 of 20. */
function faceAt(x: number, y = 0, { size = 0.2, quality = {} } = {}): RecognisedFace {
  const face = faceOf(1, size)
  const descriptor = face.descriptor.slice()
  descriptor[100] = x
  descriptor[101] = y
  return { ...face, descriptor, quality: { ...face.quality, ...quality } }
}

async function pictureOf(...faces: RecognisedFace[]): Promise<Buffer> {
  const picture = await numberedPicture(8 * ++pictures)
  table.set(imageHash(picture), faces)
  return picture
}

/** Indexes a photo of one face.
 *  @returns the id of the face */
async function photoOf(face: RecognisedFace, album = albumId): Promise<string> {
  const { faces } = await index.indexPhoto(album, randomUUID(), inMemory(await pictureOf(face)))
  return faces[0]!.faceId
}

async function selfie(face = faceAt(0)) {
  return { image: await pictureOf(face) }
}

async function search(person: PersonQuery, threshold?: number) {
  const { found, selfies, template } = await index.search([albumId], person, threshold)
  const { sure, possible } = found.get(albumId)!
  return {
    sure: sure.map(({ faceId }) => faceId),
    possible: possible.map(({ faceId }) => faceId),
    selfies,
    template,
  }
}

const failing = (fault: ServiceFault) => {
  service.fault = (operation) =>
    operation === 'SearchFaces' || operation === 'DetectFaces' ? fault : undefined
}

describe('a search by a selfie', () => {
  test('gives sure and possible faces after one call for the selfie', async () => {
    const [sure, possible] = [await photoOf(faceAt(0.3)), await photoOf(faceAt(0, 0.52))]
    await photoOf(faceAt(0, -0.55))
    expect(await search({ selfies: [await selfie()] })).toMatchObject({ sure: [sure], possible: [possible] })
    expect(service.count('SearchFacesByImage')).toBe(1)
  })

  test('finds a face that only the found faces resemble: surely when two do, possibly when one does', async () => {
    const [near, nearer] = [await photoOf(faceAt(0.4)), await photoOf(faceAt(0.3))]
    const [far, farther] = [await photoOf(faceAt(0.65)), await photoOf(faceAt(0.86))]
    const { sure, possible } = await search({ selfies: [await selfie()] })
    expect(sure.toSorted()).toEqual([near, nearer, far].toSorted())
    expect(possible).toEqual([farther])
  })

  test.each<ServiceFault>([
    'ThrottlingException',
    'ProvisionedThroughputExceededException',
    'AccessDeniedException',
    'break',
  ])('is answered with what the selfie found when other calls fail: %s', async (fault) => {
    const [near, nearer] = [await photoOf(faceAt(0.4)), await photoOf(faceAt(0.3))]
    await photoOf(faceAt(0.65))
    failing(fault)
    const { sure, possible, selfies, template } = await search({ selfies: [await selfie()] })
    expect([sure, possible]).toEqual([[nearer, near], []])
    expect(selfies).toMatchObject([{ faces: [{ box: { width: 0.2 } }], searched: 0, problems: [] }])
    expect(template).toBeDefined()
  })

  test('does not search by poor faces', async () => {
    for (const [x, quality] of [
      [0.3, { yaw: 60 }],
      [0.4, { sharpness: 3 }],
    ] as const)
      await photoOf(faceAt(x, 0, { quality }))
    const far = await photoOf(faceAt(0.65))
    const { sure, possible, template } = await search({ selfies: [await selfie()] })
    expect([...sure, ...possible]).not.toContain(far)
    expect(template).toBeUndefined()
    expect(service.count('SearchFaces')).toBe(0)
  })

  test('makes at most ten calls for one selfie, however much is found and confirmed', async () => {
    for (let photo = 0; photo < 10; photo++) await photoOf(faceAt(0.3 + photo / 100))
    const confirmed: string[] = []
    for (let photo = 0; photo < 6; photo++) confirmed.push(await photoOf(faceAt(0, 0.6 + photo / 100)))
    service.served.length = 0
    const { sure } = await search({ selfies: [await selfie()], confirmed })
    expect(sure).toHaveLength(16)
    expect(service.count('SearchFaces')).toBe(8)
    expect(service.served).toHaveLength(10)
  })

  test('with wrong answers brings in nobody else: the photos of a stranger are asked about at most', async () => {
    const own = [await photoOf(faceAt(0.3)), await photoOf(faceAt(0.32))]
    const wrong = [await photoOf(faceAt(0, 0.52)), await photoOf(faceAt(0, 0.54))]
    const others = [await photoOf(faceAt(0, 0.62)), await photoOf(faceAt(0, 0.64))]
    const { sure, possible } = await search({ selfies: [await selfie()], confirmed: wrong })
    expect(sure.toSorted()).toEqual([...own, ...wrong].toSorted())
    expect(possible.toSorted()).toEqual(others.toSorted())
  })

  test('with a wrong face among the sure ones brings in nobody else', async () => {
    const own = [await photoOf(faceAt(0.3)), await photoOf(faceAt(0.32)), await photoOf(faceAt(0.34))]
    const wrong = await photoOf(faceAt(0, 0.48))
    const others = [await photoOf(faceAt(0, 0.6)), await photoOf(faceAt(0, 0.62))]
    const { sure, possible } = await search({ selfies: [await selfie()] })
    expect(sure.toSorted()).toEqual([...own, wrong].toSorted())
    expect(possible.toSorted()).toEqual(others.toSorted())
  })

  test('searches by a confirmed face, and not by a rejected one', async () => {
    const [found, confirmed] = [await photoOf(faceAt(0.3)), await photoOf(faceAt(0.55))]
    const beyond = await photoOf(faceAt(1))
    const selfies = [await selfie()]
    expect((await search({ selfies })).possible).toEqual([confirmed])
    expect(await search({ selfies, confirmed: [confirmed] })).toMatchObject({
      sure: [confirmed, found],
      possible: [beyond],
    })
    expect(await search({ selfies, rejected: [found] })).toMatchObject({ sure: [], possible: [] })
  })

  test('does not ask for the faces of a picture that one face fills, if it finds something', async () => {
    await photoOf(faceAt(0.3))
    await search({ selfies: [await selfie(faceAt(0, 0, { size: 0.6 }))] })
    expect(service.count('DetectFaces')).toBe(0)
    const blurred = faceAt(5, 0, { size: 0.6, quality: { sharpness: 3 } })
    const { selfies } = await search({ selfies: [await selfie(blurred)] })
    expect(selfies).toMatchObject([{ problems: ['BLURRED'] }])
  })

  test('leaves out a selfie of somebody else, when both people are in the album', async () => {
    const [own, other] = [await photoOf(faceAt(0.1)), await photoOf(faceAt(5))]
    const mine = [await selfie(), await selfie(faceAt(0.2))]
    const theirs = await selfie(faceAt(5.1))
    const { sure, selfies } = await search({ selfies: [mine[0]!, theirs, mine[1]!] })
    expect(sure).toEqual([own])
    expect(selfies.map(({ isSomebodyElse }) => isSomebodyElse)).toEqual([false, true, false])
    await index.removeFaces(albumId, [own])
    expect((await search({ selfies: [mine[0]!, theirs] })).sure).toEqual([other])
  })

  test('needs the faces of a selfie when one was chosen, and fails without them', async () => {
    failing('ThrottlingException')
    const { image } = await selfie()
    await expect(search({ selfies: [{ image, face: 1 }] })).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
    })
    service.fault = () => undefined
    await photoOf(faceAt(0.3))
    const { sure, selfies } = await search({ selfies: [{ image, face: 1 }] })
    expect(sure, 'there is no such face, so the largest counts').toHaveLength(1)
    expect(selfies).toMatchObject([{ searched: 0 }])
  })
})

describe('a search by what was remembered', () => {
  let faces: string[]
  let template: Buffer
  const again = (more: Partial<PersonQuery> = {}) => search({ selfies: [], template, ...more })

  beforeEach(async () => {
    faces = [await photoOf(faceAt(0.1)), await photoOf(faceAt(0.2)), await photoOf(faceAt(0.3))]
    template = (await search({ selfies: [await selfie()] })).template!
  })

  test('finds the photos again, and later ones', async () => {
    const later = await photoOf(faceAt(0.5))
    const { sure, template: next } = await again()
    expect(sure.toSorted()).toEqual([...faces, later].toSorted())
    expect(next).toEqual(template)
  })

  test('is decided by the best remembered face, and two others must agree', async () => {
    const [alone, together] = [await photoOf(faceAt(0.8)), await photoOf(faceAt(0.66))]
    const { sure, possible } = await again()
    expect(sure.toSorted()).toEqual([...faces, together].toSorted())
    expect(possible).toEqual([alone])
  })

  test('skips faces that have been erased, and is refused when none remains', async () => {
    await index.removeFaces(albumId, [faces[0]!])
    const { sure, template: next } = await again()
    expect(sure.toSorted()).toEqual(faces.slice(1).toSorted())
    expect(next).toEqual(template.subarray(16))
    await index.removeFaces(albumId, faces)
    await expect(again()).rejects.toThrow(nothingRemembered())
  })

  test('does not search by a rejected face, and searches by a confirmed one', async () => {
    const [far, farther] = [await photoOf(faceAt(0.9)), await photoOf(faceAt(1.2))]
    const likeFirst = await photoOf(faceAt(-0.35))
    expect((await again()).sure).toContain(likeFirst)
    const { sure, possible } = await again({ rejected: [faces[0]!], confirmed: [far] })
    expect(sure.toSorted()).toEqual([...faces.slice(1), far].toSorted())
    expect(possible).toEqual([farther])
  })

  test('has no effect in another album', async () => {
    const other = randomUUID()
    await index.createCollection(other)
    await photoOf(faceAt(0), other)
    await expect(index.search([other], { selfies: [], template })).rejects.toThrow(nothingRemembered())
  })

  test('is unavailable while the service is busy', async () => {
    failing('ThrottlingException')
    await expect(again()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  })
})
