import { expect, test } from 'vitest'
import { samplePhotos } from '../../../testing/sample-photos.ts'
import { type DescribedFace, loadFaceEngine } from './engine.ts'

const photo = samplePhotos()[0]!

const { engine } = await loadFaceEngine()
/** Of the first photo. */
const described = (await engine.describePhoto(photo)).faces

test('two threads describe faces exactly as one does', async () => {
  const { engine: inTwo } = await loadFaceEngine(undefined, 2)
  expect((await inTwo.describePhoto(photo)).faces).toEqual(described)
})

test('on WebAssembly the results are the same', async () => {
  const { engine: onWasm } = await loadFaceEngine('wasm')
  const { faces: found } = await onWasm.describePhoto(photo)
  expect(found).toHaveLength(3)
  for (const [index, { descriptor }] of found.entries())
    for (const [place, value] of descriptor.entries())
      expect(value).toBeCloseTo(described[index]!.descriptor[place]!, 3)
})

test('a face in profile is turned further than all others', async () => {
  const [profile, , facing] = leftToRight((await engine.describePhoto(samplePhotos()[1]!)).faces)
  expect(profile!.quality.yaw).toBeLessThan(-50)
  expect(Math.abs(facing!.quality.yaw!)).toBeLessThan(25)
})

function leftToRight(found: DescribedFace[]): DescribedFace[] {
  return found.toSorted((one, other) => one.box.left - other.box.left)
}
