import { expect, test } from 'vitest'
import { loadNetworks } from '../../../testing/networks.ts'
import { samplePhotos } from '../../../testing/sample-photos.ts'
import { distanceOf } from '../matching/query-embedding.ts'
import { createFaceEngine } from './engine.ts'

const photo = samplePhotos()[4]!

const networks = await loadNetworks()

/** An engine that finds no landmarks in some faces: they shrink to a point there, as in a face that is too small.
 *  @param isUnclear by the face's place in the photo; the largest is 0 */
function engineFor(isUnclear: (face: number) => boolean) {
  return createFaceEngine({
    ...networks,
    async findLandmarks(squares) {
      const found = await networks.findLandmarks(squares)
      return found.map((points, face) =>
        isUnclear(face) ? points.map(({ x, y }) => ({ x: 0.45 + 0.1 * x, y: 0.45 + 0.1 * y })) : points,
      )
    },
  })
}

test('a face whose landmarks are not found is left out with its reason, and the others are described', async () => {
  const all = await engineFor(() => false).describePhoto(photo)
  expect(all).toMatchObject({ faces: { length: 5 }, unindexed: [] })
  const { faces, unindexed } = await engineFor((face) => face === 1 || face === 3).describePhoto(photo)
  expect(faces).toHaveLength(3)
  for (const [index, face] of [0, 2, 4].entries()) {
    expect(faces[index]!.box).toEqual(all.faces[face]!.box)
    expect(distanceOf(faces[index]!.descriptor, all.faces[face]!.descriptor)).toBeLessThan(0.001)
  }
  expect(unindexed).toEqual(
    [1, 3].map((face) => ({ reasons: ['LOW_FACE_QUALITY'], box: all.faces[face]!.box })),
  )
})

test('a selfie shows the faces in which landmarks are found', async () => {
  const { faces } = await engineFor(() => false).describePhoto(photo)
  expect(await engineFor((face) => face === 0).describeSelfie(photo)).toMatchObject({
    faces: faces.slice(1).map(({ box }) => ({ box })),
    described: { box: faces[1]!.box },
  })
  expect(await engineFor(() => true).describeSelfie(photo)).toMatchObject({ faces: [], described: undefined })
})
