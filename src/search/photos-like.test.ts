import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { recordCollection } from '../faces/collection-queries.ts'
import { noFaceFound } from '../faces/errors.ts'
import type { FaceIndex, FaceMatch } from '../faces/face-index.ts'
import { createFormerFaces } from '../faces/former-faces.ts'
import { createLog } from '../log.ts'
import { createTestDomain, type TestDomain } from '../testing/domain.ts'
import { surelyFound } from '../testing/surely-found.ts'
import { photosLike } from './photos-like.ts'
import { searchUnknown } from './search-token.ts'

type Search = FaceIndex['search']

let domain: TestDomain
/** An album in the current engine, and one that moves there from the former engine. */
let settled: string
let moving: string

beforeAll(async () => {
  domain = await createTestDomain()
})
afterAll(() => domain?.close())
beforeEach(async () => {
  settled = (await domain.newAlbum()).id
  moving = (await domain.newAlbum()).id
  await recordCollection(domain.db, settled, 'embedded')
  await recordCollection(domain.db, moving, 'embedded')
  await recordCollection(domain.db, moving, 'rekognition')
})

async function find(
  current: Search,
  former: Search,
  albumIds = [settled, moving],
): Promise<Map<string, number>> {
  const engine = (name: FaceIndex['engine'], search: Search) =>
    ({ engine: name, search }) as Partial<FaceIndex> as FaceIndex
  const formerFaces = createFormerFaces({
    engine: 'rekognition',
    create: async () => engine('rekognition', former),
    log: createLog('silent'),
  })
  const deps = { db: domain.db, faces: engine('embedded', current), formerFaces, threshold: 80 }
  const { sure } = await photosLike(deps, albumIds, { selfies: [{ image: Buffer.from('a selfie') }] })
  return new Map(sure.map(({ photoId, similarity }) => [photoId, similarity]))
}

const [ONE, TWO, THREE] = [randomUUID(), randomUUID(), randomUUID()]

const match = (photoId: string, similarity: number): FaceMatch => ({
  faceId: randomUUID(),
  photoId,
  similarity,
})
const seesNoFace: Search = () => Promise.reject(noFaceFound())

test('each engine is asked once for all albums, the former one only for those that move', async () => {
  const asked: string[][] = []
  const found = await find(
    async (albumIds) => {
      asked.push(albumIds)
      return surelyFound([
        [settled, [match(ONE, 90)]],
        [moving, [match(TWO, 85)]],
      ])
    },
    async (albumIds) => {
      asked.push(albumIds)
      return surelyFound([[moving, [match(TWO, 95), match(THREE, 81)]]])
    },
  )
  expect(asked).toEqual([[settled, moving], [moving]])
  expect(Object.fromEntries(found)).toEqual({ [ONE]: 90, [TWO]: 95, [THREE]: 81 })
})

test('the current engine decides whether a selfie shows a face', async () => {
  const found = await find(async () => surelyFound([[settled, [match(ONE, 90)]]]), seesNoFace)
  expect([...found.keys()]).toEqual([ONE])
  await expect(find(seesNoFace, async () => surelyFound([]))).rejects.toMatchObject({
    code: 'UNPROCESSABLE_CONTENT',
  })
})

test('the former engine decides while no photo is in the current one', async () => {
  await expect(find(async () => surelyFound([]), seesNoFace, [moving])).rejects.toMatchObject({
    code: 'UNPROCESSABLE_CONTENT',
  })
  const found = await find(
    async () => surelyFound([]),
    async () => surelyFound([[moving, [match(TWO, 95)]]]),
    [moving],
  )
  expect([...found.keys()]).toEqual([TWO])
})

test('a person is searched for again by what each engine has answered, and not without it', async () => {
  const asked: (Buffer | undefined)[] = []
  const engine = (name: FaceIndex['engine']) =>
    ({
      engine: name,
      search: async (_albums: string[], { evidence }: { evidence?: Buffer }) => {
        asked.push(evidence)
        return { ...surelyFound([]), evidence: Buffer.from(`of ${name}`) }
      },
    }) as Partial<FaceIndex> as FaceIndex
  const formerFaces = createFormerFaces({
    engine: 'rekognition',
    create: async () => engine('rekognition'),
    log: createLog('silent'),
  })
  const deps = { db: domain.db, faces: engine('embedded'), formerFaces }
  const selfies = [{ image: Buffer.from('a selfie') }]
  const { evidence } = await photosLike(deps, [moving], { selfies })
  expect(evidence).toEqual({
    embedded: Buffer.from('of embedded'),
    rekognition: Buffer.from('of rekognition'),
  })
  await photosLike(deps, [moving], { selfies: [], evidence })
  expect(asked).toEqual([undefined, undefined, evidence!.embedded, evidence!.rekognition])
  for (const evidence of [{ embedded: Buffer.of(1) }, { rekognition: Buffer.of(1) }])
    await expect(photosLike(deps, [moving], { selfies: [], evidence })).rejects.toThrow(searchUnknown())
})
