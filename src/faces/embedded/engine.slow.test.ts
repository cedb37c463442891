import sharp from 'sharp'
import { beforeAll, expect, test } from 'vitest'
import { cropFace, samplePhotos } from '../../testing/sample-photos.ts'
import type { DescribedFace, FaceEngine } from './engine.ts'
import { loadFaceEngine } from './load-engine.ts'

const photo = samplePhotos()[0]!
let engine: FaceEngine
/** Of each of the six event photos. */
let described: DescribedFace[][]
/** Of the first photo. */
let faces: DescribedFace[]

beforeAll(async () => {
  ;({ engine } = await loadFaceEngine())
  described = []
  for (const one of samplePhotos()) described.push(await engine.describeFaces(one))
  faces = leftToRight(described[0]!)
})

test('two threads describe faces exactly as one does', async () => {
  const { engine: inTwo } = await loadFaceEngine(undefined, 2)
  expect(await inTwo.describeFaces(photo)).toEqual(described[0])
})

test('on WebAssembly the results are the same', async () => {
  const { engine: onWasm } = await loadFaceEngine('wasm')
  const found = await onWasm.describeFaces(photo)
  expect(found).toHaveLength(3)
  for (const [index, { descriptor }] of found.entries())
    for (const [place, value] of descriptor.entries())
      expect(value).toBeCloseTo(described[0]![index]!.descriptor[place]!, 3)
})

test('a mirrored face looks to the other side', async () => {
  const yaws: number[][] = []
  for (const image of [photo, await sharp(photo).flop().toBuffer()]) {
    const found = await engine.describeFaces(image)
    yaws.push(found.map(({ quality }) => quality.yaw!).toSorted((one, other) => one - other))
  }
  const [seen, mirrored] = yaws
  expect(seen).toHaveLength(3)
  expect(seen![0]).toBeLessThan(-20)
  for (const [index, yaw] of mirrored!.toReversed().entries())
    expect(Math.abs(yaw + seen![index]!)).toBeLessThan(10)
})

test('a face in profile is turned further than all others', async () => {
  const [profile, , facing] = leftToRight(await engine.describeFaces(samplePhotos()[1]!))
  expect(profile!.quality.yaw).toBeLessThan(-50)
  expect(Math.abs(facing!.quality.yaw!)).toBeLessThan(25)
})

test('a picture that is turned clockwise makes its faces lean by as much', async () => {
  const crop = await cropFace(photo, faces[0]!.box, 2)
  const leanAfter = async (degrees: number) => {
    const [face] = await engine.describeFaces(
      await sharp(crop).rotate(degrees, { background: '#444' }).toBuffer(),
    )
    return face!.quality.roll!
  }
  const upright = await leanAfter(0)
  for (const degrees of [20, -20])
    expect(Math.abs((await leanAfter(degrees)) - upright - degrees)).toBeLessThan(5)
})

test('of selfies that were taken upside down, more than half show the same person', async () => {
  // In the others the detector sees a face, and its landmarks, where there are none.
  const enough = 12
  let same = 0
  for (const [index, one] of samplePhotos().entries())
    for (const face of described[index]!) {
      if (same === enough) return
      const selfie = sharp(await cropFace(one, face.box, 3)).rotate(180, { background: '#888' })
      const { described: found } = await engine.describeSelfie(await selfie.jpeg({ quality: 90 }).toBuffer())
      if (found && distance(found, face) < 0.5) same++
    }
  expect(same).toBe(enough)
})

test('of small selfies that are cut out closely and sideways, more than half show the same person', async () => {
  const enough = 12
  let same = 0
  for (const [index, one] of samplePhotos().entries())
    for (const face of described[index]!) {
      if (same === enough) return
      const small = sharp(await cropFace(one, face.box, 1.2)).resize(160, 160, { fit: 'inside' })
      const sideways = sharp(await small.toBuffer())
        .rotate(270)
        .jpeg({ quality: 90 })
      const { described: found } = await engine.describeSelfie(await sideways.toBuffer())
      if (found && distance(found, face) < 0.5) same++
    }
  // 8 of 22 without a margin.
  expect(same).toBe(enough)
})

function leftToRight(found: DescribedFace[]): DescribedFace[] {
  return found.toSorted((one, other) => one.box.left - other.box.left)
}

function distance(one: DescribedFace, other: DescribedFace): number {
  return Math.hypot(...one.descriptor.map((value, index) => value - other.descriptor[index]!))
}
