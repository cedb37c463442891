import sharp from 'sharp'
import { expect, test } from 'vitest'
import { cropFace, samplePhotos } from '../../../testing/sample-photos.ts'
import { distanceOf } from '../matching/query-embedding.ts'
import { type DescribedFace, loadFaceEngine } from './engine.ts'

const TURNS = [90, 180, 270]

/** It only ends a test that hangs. */
const TIMEOUT = { timeout: 900_000 }

interface Person {
  face: DescribedFace
  /** The square around the face, `factor` times as wide as its box. */
  portrait(factor: number): Promise<Buffer>
}

/** The 22 of the six event photos. */
const people: Person[] = []

const { engine } = await loadFaceEngine()
for (const photo of samplePhotos())
  for (const face of (await engine.describePhoto(photo)).faces)
    people.push({ face, portrait: (factor) => cropFace(photo, face.box, factor) })

test('of turned selfies, 94% show the person that they show upright', TIMEOUT, async () => {
  let same = 0
  for (const { face, portrait } of people)
    for (const factor of [1.2, 2])
      for (const turn of TURNS) {
        const selfie = await sharp(await portrait(factor))
          .rotate(turn)
          .jpeg({ quality: 90 })
          .toBuffer()
        const { described } = await engine.describeSelfie(selfie)
        if (described && distanceOf(face.descriptor, described.descriptor) < 0.5) same++
      }
  expect(same / (people.length * 2 * TURNS.length)).toBeGreaterThanOrEqual(0.94)
})

test(
  'of turned people beside an upright one, nearly three in four are found, and hardly an upright one is lost',
  TIMEOUT,
  async () => {
    let turned = 0
    let upright = 0
    for (const [index, one] of people.entries())
      for (const turn of TURNS) {
        const other = people[(index + 5) % people.length]!
        const { faces: found } = await engine.describePhoto(await sideBySide(other, one, turn))
        if (found.some((face) => distanceOf(face.descriptor, one.face.descriptor) < 0.5)) turned++
        if (found.some((face) => distanceOf(face.descriptor, other.face.descriptor) < 0.5)) upright++
      }
    const all = people.length * TURNS.length
    expect(turned / all).toBeGreaterThanOrEqual(0.72)
    expect(upright / all).toBeGreaterThanOrEqual(0.9)
  },
)

async function sideBySide(left: Person, right: Person, turn: number): Promise<Buffer> {
  const half = async ({ portrait }: Person, degrees: number) => {
    const square = await sharp(await portrait(3))
      .resize(600, 600, { fit: 'fill' })
      .toBuffer()
    return sharp(square).rotate(degrees).toBuffer()
  }
  return sharp({ create: { width: 1200, height: 600, channels: 3, background: '#888' } })
    .composite([
      { input: await half(left, 0), left: 0, top: 0 },
      { input: await half(right, turn), left: 600, top: 0 },
    ])
    .jpeg({ quality: 90 })
    .toBuffer()
}
