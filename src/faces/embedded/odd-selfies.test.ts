import { randomUUID } from 'node:crypto'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { SELFIE_ADVICE } from '../../contract/selfie-advice.ts'
import { createPool } from '../../database/client.ts'
import { domainOfFile } from '../../testing/domain.ts'
import { recording } from '../../testing/recorded-faces.ts'
import { cropFace, inMemory, samplePhotos } from '../../testing/sample-photos.ts'
import type { FaceIndex } from '../face-index.ts'
import { createAlbumSearch } from './album-search.ts'
import { createEmbeddedFaceIndex } from './embedded-face-index.ts'
import { loadFaceEngine } from './networks/engine.ts'

/** Of three people. */
const photo = samplePhotos()[0]!
let albumId: string
const domain = await domainOfFile()
let index: FaceIndex
let selfie: Buffer

beforeAll(async () => {
  const { engine } = await loadFaceEngine()
  albumId = (await domain.newAlbum()).id
  index = createEmbeddedFaceIndex({
    db: domain.db,
    albums: createAlbumSearch(
      createPool(domain.address, () => {}),
      { maxBytes: 1e9 },
    ),
    workers: {
      describePhoto: (image, options) => engine.describePhoto(image, options),
      describeSelfie: (image, wanted) => engine.describeSelfie(image, wanted),
      start: async () => {},
      isDown: () => false,
      close: async () => {},
    },
  })
  const { faces } = await recording(index, domain).indexPhoto(albumId, randomUUID(), inMemory(photo))
  selfie = await cropFace(photo, faces[0]!.box, 2)
})
afterAll(async () => {
  await index?.close()
})

async function search(image: Buffer, face?: number) {
  const { found, selfies } = await index.search([albumId], { selfies: [{ image, face }] })
  return { sure: found.get(albumId)!.sure.map(({ faceId }) => faceId), seen: selfies[0]! }
}

test('a selfie that is upside down finds the same face as an upright one', async () => {
  const { sure } = await search(selfie)
  expect(sure).toHaveLength(1)
  expect((await search(await sharp(selfie).rotate(180).jpeg({ quality: 95 }).toBuffer())).sure).toEqual(sure)
})

test('a selfie of 80 pixels finds the same face as a large one', async () => {
  const { sure } = await search(selfie)
  const tiny = await search(await sharp(selfie).resize(80, 80).jpeg({ quality: 95 }).toBuffer())
  expect(tiny.seen.faces).toHaveLength(1)
  expect(tiny.sure).toEqual(sure)
})

const DRAWING = `<svg xmlns="http://www.w3.org/2000/svg" width="600" height="600" fill="none" stroke="#000" stroke-width="8">
  <rect width="600" height="600" fill="#fff" stroke="none"/>
  <circle cx="300" cy="300" r="200"/><circle cx="230" cy="250" r="12"/><circle cx="370" cy="250" r="12"/>
  <path d="M220 380 Q300 450 380 380"/>
</svg>`
const plain = (background: string) => sharp({ create: { width: 600, height: 600, channels: 3, background } })

test.each([
  ['a drawing', async () => sharp(Buffer.from(DRAWING)), SELFIE_ADVICE.NO_FACE],
  ['white', async () => plain('#fff'), SELFIE_ADVICE.NO_FACE],
  ['black', async () => plain('#000'), SELFIE_ADVICE.TOO_DARK],
  ['of a face in the dark', async () => sharp(selfie).linear(0.05, 0), SELFIE_ADVICE.TOO_DARK],
])('a selfie that is %s is refused with what to do better', async (_, make, message) => {
  await expect(search(await (await make()).png().toBuffer())).rejects.toMatchObject({
    code: 'UNPROCESSABLE_CONTENT',
    message,
  })
})
